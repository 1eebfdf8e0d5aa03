# tests/**/*_test.cpp become one program, gusset_tests; ctest runs each of its tests by itself.
# tests/support/*.cpp are shared helpers. tests/scripts/* are tests of the built program as a whole.

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp"
     "${PROJECT_SOURCE_DIR}/tests/support/*.cpp" "${PROJECT_SOURCE_DIR}/examples/kinds/*.cpp")
if(GUSSET_TESTS_WITH)
  foreach(source IN LISTS test_sources)
    file(STRINGS "${source}" hits REGEX "${GUSSET_TESTS_WITH}" LIMIT_COUNT 1)
    if(NOT hits AND NOT source MATCHES "/tests/support/|/examples/kinds/")
      list(REMOVE_ITEM test_sources "${source}")
    endif()
  endforeach()
endif()
if(test_sources)
  add_executable(gusset_tests ${test_sources})
  target_precompile_headers(gusset_tests PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h>
                            $<$<BOOL:${GUSSET_PRECOMPILE}>:<Eigen/Dense$<ANGLE-R>>)
  if(GUSSET_PRECOMPILE)
    gusset_unite(gusset_tests "${test_sources}")
  endif()
  target_include_directories(gusset_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests"
                             "${PROJECT_SOURCE_DIR}/examples")
  target_link_libraries(gusset_tests PRIVATE
    gusset gusset_reproduce HDF5C::HDF5C Boost::headers TomlHeaders::TomlHeaders nlohmann_json::nlohmann_json
    GTest::gtest_main rapidcheck rapidcheck_gtest)
  target_compile_definitions(gusset_tests PRIVATE GUSSET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Discovery when ctest runs, not when the program is linked: a test program that crashes at start
  # is then a failed test, not a failed build.
  gtest_discover_tests(gusset_tests
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    NO_PRETTY_VALUES  # printed parameters may hold addresses, and names should stay the same
    PROPERTIES TIMEOUT 300)
endif()

# Scripts get: the program, the source directory, the build directory. Exit status 77 is "skipped".
# The system's Python first: that is where Debian puts h5py and numpy.
find_program(GUSSET_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(GUSSET_PYTHON python3)
find_program(GUSSET_BASH bash REQUIRED)
file(GLOB test_scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/scripts/*.sh"
     "${PROJECT_SOURCE_DIR}/tests/scripts/*.py")
foreach(script IN LISTS test_scripts)
  cmake_path(GET script STEM LAST_ONLY name)
  if(name STREQUAL "install_consumer" AND (GUSSET_SANITIZE OR GUSSET_COVERAGE OR GUSSET_BUILD_FUZZ))
    continue()  # an instrumented library is not one to install
  endif()
  if(script MATCHES "\\.py$")
    if(NOT GUSSET_PYTHON)
      message(STATUS "No python3: tests/scripts/${name}.py left out")
      continue()
    endif()
    set(interpreter "${GUSSET_PYTHON}" -B)  # -B: no __pycache__ in the source tree
  else()
    set(interpreter "${GUSSET_BASH}")
  endif()
  add_test(NAME script.${name}
           COMMAND ${interpreter} "${script}" "$<TARGET_FILE:gusset_app>" "${PROJECT_SOURCE_DIR}"
                   "${PROJECT_BINARY_DIR}"
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(script.${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

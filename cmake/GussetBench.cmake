# bench/NAME.cpp becomes bench_NAME, with google-benchmark at hand if it is installed; whether to
# use it or a plain main is the file's choice.

find_package(benchmark QUIET)
file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
foreach(source IN LISTS bench_sources)
  cmake_path(GET source STEM LAST_ONLY name)
  string(REGEX REPLACE "^bench_" "" name "${name}")
  add_executable(bench_${name} "${source}")
  target_link_libraries(bench_${name} PRIVATE gusset)
  target_compile_definitions(bench_${name} PRIVATE GUSSET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(name STREQUAL "realtime")
    target_sources(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/allocation_counter.cpp")
    target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  endif()
  if(TARGET benchmark::benchmark)
    target_link_libraries(bench_${name} PRIVATE benchmark::benchmark)
  endif()
endforeach()

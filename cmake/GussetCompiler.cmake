# Flags for everything compiled in this tree. What users of the library must share with it is set on
# the target instead (see -ffp-contract in CMakeLists.txt).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)  # for clang-tidy and editors
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()

find_program(GUSSET_CCACHE ccache)
if(GUSSET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GUSSET_CCACHE}")
endif()

# -Wfloat-conversion is the useful part of -Wconversion here: a double silently cut to an int or a
# float. The rest of it warns at every index.
add_compile_options(-ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wfloat-conversion
                    -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of GCC 12: overlaps and bounds in std::string's operator+ (PR 105651), and Eigen's
  # fixed-size temporaries.
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-maybe-uninitialized)
endif()

if(GUSSET_SANITIZE AND NOT GUSSET_BUILD_FUZZ)
  # Without recovery a finding of the undefined-behaviour sanitizer fails the test that met it.
  add_compile_options(-fsanitize=${GUSSET_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GUSSET_SANITIZE})
  if(GUSSET_SANITIZE MATCHES "undefined")
    # A check at every dereference doubles the time Eigen takes to compile, for what the address
    # sanitizer sees anyway. Alignment goes with them; the fuzz build keeps all four.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # false alarms with -fsanitize, as GCC documents
    if(GUSSET_SANITIZE MATCHES "thread")
      # It does not follow fences. The seqlock has two, but every word around them is an atomic: there
      # is nothing to raise a false alarm.
      add_compile_options(-Wno-tsan)
    endif()
  endif()
endif()

if(GUSSET_BUILD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GUSSET_BUILD_FUZZ needs clang, which has libFuzzer; this is "
                        "${CMAKE_CXX_COMPILER_ID}. Use the preset: cmake --preset fuzz")
  endif()
  # The library too: libFuzzer steers by the coverage of what it calls.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(GUSSET_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

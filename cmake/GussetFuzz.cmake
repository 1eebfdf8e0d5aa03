# fuzz/fuzz_NAME.cpp becomes fuzz_NAME. Seeds: fuzz/corpus/NAME/; words: fuzz/NAME.dict (see ./check).
# `fuzzers` builds them all and nothing else.

add_custom_target(fuzzers)
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.cpp")
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM LAST_ONLY name)
  add_executable(${name} EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(${name} PRIVATE gusset)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_compile_definitions(${name} PRIVATE GUSSET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_dependencies(fuzzers ${name})
endforeach()

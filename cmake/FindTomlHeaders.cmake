# toml++ as headers only: TomlHeaders::TomlHeaders.
#
# Debian's CMake package links the shared library, whose inline namespaces fix how errors are
# reported. One .cpp file of ours includes toml++; compiled in, it is one run-time dependency less,
# and the sanitizers and fuzzers see into it.

find_path(TomlHeaders_INCLUDE_DIR toml++/toml.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  TomlHeaders REQUIRED_VARS TomlHeaders_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian: apt-get install libtomlplusplus-dev")
mark_as_advanced(TomlHeaders_INCLUDE_DIR)

if(TomlHeaders_FOUND AND NOT TARGET TomlHeaders::TomlHeaders)
  add_library(TomlHeaders::TomlHeaders INTERFACE IMPORTED)
  set_target_properties(TomlHeaders::TomlHeaders PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${TomlHeaders_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)
endif()

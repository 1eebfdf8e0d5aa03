# The serial C library of HDF5 as HDF5C::HDF5C.
#
# CMake's own FindHDF5 asks the h5cc wrapper, which needs the C language enabled and puts curl, ssl
# and compression libraries on the link line. Gusset calls libhdf5 and nothing behind it. Installed
# with the package, because users of the static library have to find the same thing.
# HDF5_ROOT points elsewhere.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_search_module(PC_HDF5 QUIET hdf5-serial hdf5)  # Debian's name first
endif()

find_path(HDF5C_INCLUDE_DIR hdf5.h
          HINTS ${HDF5_ROOT} ENV HDF5_ROOT ${PC_HDF5_INCLUDE_DIRS}
          PATH_SUFFIXES include hdf5/serial include/hdf5/serial)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5
             HINTS ${HDF5_ROOT} ENV HDF5_ROOT ${PC_HDF5_LIBRARY_DIRS}
             PATH_SUFFIXES lib hdf5/serial)
if(HDF5C_INCLUDE_DIR AND EXISTS "${HDF5C_INCLUDE_DIR}/H5public.h")
  file(STRINGS "${HDF5C_INCLUDE_DIR}/H5public.h" HDF5C_VERSION
       REGEX "^#define H5_VERS_INFO" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" HDF5C_VERSION "${HDF5C_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR VERSION_VAR HDF5C_VERSION
  REASON_FAILURE_MESSAGE "Debian: apt-get install libhdf5-dev. Elsewhere: set HDF5_ROOT.")
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY)

if(HDF5C_FOUND AND NOT TARGET HDF5C::HDF5C)
  add_library(HDF5C::HDF5C UNKNOWN IMPORTED)
  set_target_properties(HDF5C::HDF5C PROPERTIES
    IMPORTED_LOCATION "${HDF5C_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${HDF5C_INCLUDE_DIR}")
endif()

# A Debian package and a source archive: tools/release.sh runs both generators.

set(CPACK_PACKAGE_NAME gusset)
set(CPACK_PACKAGE_VENDOR "The Gusset developers")
set(CPACK_PACKAGE_CONTACT "The Gusset developers <gusset@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
"Joins a physical specimen to a numerical structure, step by step in real time.
One text file describes a test; it is checked for stability by perturbing the
very code that will run it, rehearsed on a virtual rig, run and reported.")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the program links decides what it depends on
# Only for building programs against the library that comes along.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, libeigen3-dev, libhdf5-dev, libssl-dev")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "gusset-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git/" "/\\\\.git$" "/build/" "/out/" "/__pycache__/" "/node_modules/"
    "\\\\.swp$" "/\\\\.cache/")
include(CPack)

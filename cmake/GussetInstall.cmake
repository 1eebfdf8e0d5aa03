# bin/gusset, lib/libgusset.a, lib/libgusset_loop.a, include/gusset/..., share/gusset/{experiments,records}, and a CMake
# package: find_package(gusset) and link gusset::gusset, or gusset::loop for the loop and its analysis
# alone.
# Headers write "base/units.hpp", users may also write <gusset/base/units.hpp>: both roots are given.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gusset")

# Two export sets: whoever wants the loop alone needs neither HDF5 nor OpenSSL.
foreach(pair IN ITEMS "gusset_loop;gussetLoopTargets" "gusset;gussetTargets")
  list(GET pair 0 target)
  list(GET pair 1 export_set)
  install(TARGETS ${target} EXPORT ${export_set}
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gusset"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT ${export_set} NAMESPACE gusset:: DESTINATION "${package_dir}")
endforeach()
# For drivers of laboratories, in C.
install(FILES "${PROJECT_SOURCE_DIR}/src/link/gusset_rig.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS gusset_app RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments" "${PROJECT_SOURCE_DIR}/records"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/gusset")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Made by the program itself, so that it cannot lag behind.
install(CODE "
  set(folder \"${PROJECT_BINARY_DIR}/completion\")
  file(MAKE_DIRECTORY \"\${folder}\")
  foreach(shell IN ITEMS bash zsh fish)
    execute_process(COMMAND \"$<TARGET_FILE:gusset_app>\" completion \${shell}
                    OUTPUT_FILE \"\${folder}/\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(FILES "${PROJECT_BINARY_DIR}/completion/bash" RENAME gusset
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${PROJECT_BINARY_DIR}/completion/zsh" RENAME _gusset
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${PROJECT_BINARY_DIR}/completion/fish" RENAME gusset.fish
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

configure_package_config_file(cmake/gussetConfig.cmake.in "${PROJECT_BINARY_DIR}/gussetConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change interfaces.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gussetConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gussetConfig.cmake"
              "${PROJECT_BINARY_DIR}/gussetConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake"
        DESTINATION "${package_dir}")

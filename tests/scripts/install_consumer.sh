#!/usr/bin/env bash
# Consumes the package the way users do: installs it into a temporary prefix, builds tests/install
# against that with find_package(gusset), whole and the loop alone, and runs the results.
# usage: install_consumer.sh GUSSET SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir="$2" build_dir="$3"

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/prefix"
# A library built with sanitizers wants them in the program too.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build_dir/CMakeCache.txt"; }

sanitizers="$(cached GUSSET_SANITIZE)"
cmake --install "$build_dir" --prefix "$prefix" >"$scratch/install.log"
for path in bin/gusset include/gusset/base/units.hpp include/gusset/base/version.hpp \
    share/gusset/records share/gusset/experiments; do
  [[ -e "$prefix/$path" ]] || { echo "not installed: $path"; exit 1; }
done
# A package that names the tree it was built in works only on this machine.
if grep -rn -e "$build_dir" -e "$source_dir" "$prefix"/lib*/ --include='*.cmake'; then
  echo "the installed CMake package points into the source or build tree (above)"
  exit 1
fi
"$prefix/bin/gusset" --version

# build_and_run NAME OPTION...
build_and_run() {
  local name="$1"
  shift
  cmake -G Ninja -S "$source_dir/tests/install" -B "$scratch/$name" "$@" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
    ${sanitizers:+-DCMAKE_CXX_FLAGS="-fsanitize=$sanitizers"}
  cmake --build "$scratch/$name"
  "$scratch/$name/consumer"
}
build_and_run consumer
# The loop and its analysis by themselves: no HDF5, no OpenSSL.
build_and_run loop -DLOOP_ALONE=ON
if ldd "$scratch"/loop/librehearsal.so | grep -E 'hdf5|crypto|ssl'; then
  echo "the loop's library drags in the libraries above"
  exit 1
fi

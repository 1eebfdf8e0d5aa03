#!/usr/bin/env bash
# A Debian package and a source archive, into out/release (or the folder given).
# usage: tools/release.sh [--build DIRECTORY] [FOLDER]
# With --build: packs an existing build instead of making one in build/release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup.sh

build=''
if [[ "${1:-}" == --build ]]; then
  build="$(cd "${2:?directory of a build}" && pwd)"
  shift 2
fi
folder="${1:-out/release}"
if [[ -z "$build" ]]; then
  ensure_packages "to build Gusset" "${build_packages[@]}" dpkg-dev
  cmake --preset release -DGUSSET_BUILD_TESTS=OFF -DGUSSET_BUILD_BENCH=OFF
  cmake --build --preset release -j "$(jobs_for_build)"
  build="$PWD/build/release"
fi
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder" >"$build/cpack.log" 2>&1 ||
  { tail -n 20 "$build/cpack.log" >&2; exit 1; }
cpack --config "$build/CPackSourceConfig.cmake" -G TGZ -B "$folder" >>"$build/cpack.log" 2>&1 ||
  { tail -n 20 "$build/cpack.log" >&2; exit 1; }
rm -rf "$folder/_CPack_Packages"
(cd "$folder" && sha256sum ./*.deb ./*.tar.gz | tee SHA256SUMS)

# Sourced by ./quickstart and ./check: messages, and the packages a build needs.
# shellcheck shell=bash

if [[ -t 1 && "${CI:-}" != true && -z "${NO_COLOR:-}" ]]; then
  bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' dim=$'\e[2m' plain=$'\e[0m' terminal=yes
else
  bold='' red='' green='' dim='' plain='' terminal=''
fi

say() { printf '%s\n' "$*"; }
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
complain() { printf '%s%s%s\n' "$red" "$*" "$plain" >&2; }

jobs_for_build() { nproc 2>/dev/null || echo 2; }

build_packages=(g++ cmake ninja-build pkg-config libeigen3-dev libtomlplusplus-dev libcli11-dev
                nlohmann-json3-dev libhdf5-dev libboost-dev libssl-dev)
check_packages=(libgtest-dev librapidcheck-dev libbenchmark-dev clang clang-format ccache python3 python3-h5py
                python3-numpy chromium dpkg-dev)

# Only compared with, by bench_realtime and gusset doctor, where it is there; installed by hand.
bench_packages=(rt-tests)

is_installed() {
  [[ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]
}

# The compiler-rt package (libFuzzer and sanitizers for clang) carries clang's major version in its
# name. Prints nothing where the release has no such package: there clang itself brings it.
clang_runtime_package() {
  local version
  version="$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1)"
  if [[ -n "$version" ]] && apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
    echo "libclang-rt-$version-dev"
  fi
}

# Runs a command as root, by itself or through sudo.
as_root() {
  if [[ "$(id -u)" == 0 ]]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# ensure_packages REASON PACKAGE...: installs what is missing, and only that. Exits 2, naming the
# command to run, if it may not.
ensure_packages() {
  local reason="$1" package missing=() log="build/setup.log"
  shift
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "This is not a Debian-like system, so nothing is installed. Needed $reason, by Debian's names:"
    say "  $*"
    say "Going on; CMake will say what it cannot find."
    return 0
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  # The runtime's name is known once apt knows clang, so on a bare system it waits for the update.
  local wants_clang=''
  [[ " $* " == *" clang "* ]] && wants_clang=yes
  if [[ -n "$wants_clang" && " ${missing[*]-} " != *" clang "* ]]; then
    package="$(clang_runtime_package)"
    if [[ -n "$package" ]] && ! is_installed "$package"; then missing+=("$package"); fi
  fi
  [[ ${#missing[@]} -gt 0 ]] || return 0

  say "Needed $reason and not installed: ${missing[*]}"
  if [[ "$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then
    complain "Installing them takes root, and there is no sudo. Run this as root, then try again:"
    complain "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    exit 2
  fi
  say "Installing them with apt-get (output in $log) ..."
  mkdir -p build
  if ! {
    as_root apt-get update &&
    apt_install "${missing[@]}" &&
    if [[ -n "$wants_clang" ]]; then
      package="$(clang_runtime_package)"
      [[ -z "$package" ]] || is_installed "$package" || apt_install "$package"
    fi
  } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    complain "apt-get failed (above: the end of $log). Put that right, or install by hand, as root:"
    complain "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    exit 2
  fi
}

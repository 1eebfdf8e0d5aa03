#!/usr/bin/env bash
# Installs a package as users do and takes a first test through it; removes it again.
# usage: tools/package_smoke.sh FILE.deb. Without the right to install it is only unpacked.
set -euo pipefail
package="$(realpath "${1:?a Debian package}")"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
if [[ "$(id -u)" == 0 ]] || sudo -n true 2>/dev/null; then
  apt_install "$package" >install.log 2>&1 || { tail -n 20 install.log >&2; exit 1; }
  trap 'as_root dpkg --remove gusset >/dev/null; rm -rf "$scratch"' EXIT
  gusset=/usr/bin/gusset
  [[ -e /usr/share/bash-completion/completions/gusset ]] || { complain "no completion installed"; exit 1; }
else
  say "note: no right to install; unpacked only"
  dpkg-deb -x "$package" .
  gusset="$scratch/usr/bin/gusset"
fi
# Beside the program, not in the tree it was built in.
listed="$("$gusset" list --json)"
[[ "$listed" == *"$(dirname "$(dirname "$gusset")")/share/gusset"* ]] ||
  { complain "the installed program does not use its own experiments"; exit 1; }
"$gusset" check quickstart >check.txt
"$gusset" analyze quickstart --json >analysis.json
"$gusset" simulate quickstart --out run.h5 >run.txt
"$gusset" report run.h5 --out report.html
"$gusset" reproduce wu-2009/fig-3a >reproduce.txt
if "$gusset" analyze wu-pure-inertia --set specimen.mass_ratio=1.2 >/dev/null; then
  complain "an unstable test was called stable"
  exit 1
fi
say "note: $(basename "$package") installed, a test checked, analysed, simulated and reported"

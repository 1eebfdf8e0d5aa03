#!/usr/bin/env bash
# The first test a newcomer sees: tools/first_test.sh DIRECTORY_OF_GUSSET, from the source directory.
# Each command is shown before it runs, with one line on what to look for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup.sh
PATH="$(cd "${1:?directory of the gusset program}" && pwd):$PATH"
mkdir -p out

# show WHAT_IT_SHOWS COMMAND...
show() {
  printf '\n%s%s%s\n%s$ %s%s\n' "$dim" "$1" "$plain" "$bold" "${*:2}" "$plain"
  "${@:2}"
}

experiment=experiments/quickstart.toml

show "The experiments that come with Gusset; each can be named instead of a file." \
  gusset list
show "Is the file sound? Units, keys, and the quantities derived from them." \
  gusset check "$experiment"
show "Will the test be stable? Spectral radius of the whole loop, and the largest step." \
  gusset analyze "$experiment"
show "The rehearsal: the same loop, as fast as this machine goes." \
  gusset simulate "$experiment" --out out/quickstart.h5 --force
show "The results as a table, for a spreadsheet or a script." \
  gusset export out/quickstart.h5 --csv out/quickstart.csv --force

show "The report: one page with everything, to be opened in a browser." \
  gusset report out/quickstart.h5 --out out/quickstart.html --force
show "Change one parameter, and the verdict changes: this step is too long. (Exit status 1.)" \
  gusset analyze "$experiment" --set "integrator.dt=40 ms" || true

title "Next steps"
cat <<END
  out/quickstart.html                     the report: open it in a browser
  out/quickstart.h5, out/quickstart.csv   the results
  $experiment             the test: change a number, and run the commands above again
  build/release/bin/gusset --help         every command; put build/release/bin on your PATH
  docs/                                   the manual
  ./check                                 the test suite
END

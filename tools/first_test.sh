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

title "4. The same test in real time"
# The rig as a process of its own; both find each other in shared memory. What an interrupted run left
# behind would be kept for gusset recover.
rm -f out/quickstart-run.h5.raw
gusset rig "$experiment" --listen "shm:quickstart-$$" --once &
rig=$!
trap 'kill "$rig" 2>/dev/null || true' EXIT
show "20 s against a rig in its own process: deadlines, timing and tracking." \
  gusset run "$experiment" --rig "shm:quickstart-$$" --out out/quickstart-run.h5 --force
wait "$rig"
trap - EXIT
show "The commands, computed again from the recorded feedback." \
  gusset replay out/quickstart-run.h5
show "Its report, with the timing of every stage." \
  gusset report out/quickstart-run.h5 --out out/quickstart-run.html --force

title "Next steps"
cat <<END
  out/quickstart.html                     the report of the rehearsal: open it in a browser
  out/quickstart-run.html                 that of the run in real time
  out/quickstart.h5, out/quickstart.csv   the results
  out/quickstart-run.h5                   those of the run in real time
  $experiment             the test: change a number, and run the commands above again
  build/release/bin/gusset --help         every command; put build/release/bin on your PATH
  docs/                                   the manual
  ./check                                 the test suite
END

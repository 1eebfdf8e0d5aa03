#!/usr/bin/env python3
"""run, rig and replay as processes of their own: links, killed peers, signals, the plug-in.

usage: realtime_run.py GUSSET SOURCE_DIR BUILD_DIR

With GUSSET_LONG set 50 kills instead of 4.
"""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GUSSET = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
KILLS = 50 if os.environ.get("GUSSET_LONG") else 4
TIMEOUT = 120
problems = []


def demand(condition, message):
    if not condition:
        problems.append(message)
        print(message)


def start(folder, *command):
    return subprocess.Popen([GUSSET, *command], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    try:
        out, err = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        problems.append(f"{process.args}: no end after {TIMEOUT} s")
    return process.returncode, out, err


def call(folder, *command, status=0):
    code, out, err = finish(start(folder, *command))
    demand(code == status, f"{command}: exit status {code}, not {status}\n{err}")
    return out


def strict(text):
    return json.loads(text, parse_constant=lambda c: problems.append(f"{c} is not JSON"))


def names(path):
    import h5py
    found = {}

    def visit(name, item):
        # Channels; texts have an index too, and are about the machine.
        if isinstance(item, h5py.Dataset) and "index" in item.attrs and item.dtype.kind == "f":
            found[name] = item[...].tobytes()
    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def links(folder):
    """The same record over every link, from processes of their own."""
    call(folder, "simulate", "quickstart", "--set", "duration=2 s", "--out", "simulated.h5")
    exact = names(folder / "simulated.h5")
    for number, scheme in enumerate(("shm", "udp", "tcp")):
        listen = f"shm:t{os.getpid()}" if scheme == "shm" else f"{scheme}://127.0.0.1:{20000 + os.getpid() % 20000 + number}"
        rig = start(folder, "rig", "quickstart", "--set", "duration=2 s", "--listen", listen, "--lockstep",
                    "--once", "--json")
        out = f"{scheme}.h5"
        result = strict(call(folder, "run", "quickstart", "--set", "duration=2 s", "--rig", listen, "--lockstep",
                             "--out", out, "--json"))
        demand(result["completed"] and result["cause"] == "none", f"{scheme}: {result['cause']}")
        code, text, err = finish(rig)
        demand(code == 0 and strict(text)["sessions"] == 1, f"rig at {listen}: {code} {err}")
        run = names(folder / out)
        demand(all(run.get(name) == data for name, data in exact.items()), f"{scheme}: not what simulate gives")
    # Replay: bit for bit, and what if.
    found = strict(call(folder, "replay", "udp.h5", "--json"))
    demand(found["identical"] and found["commands"] == 2000, f"replay: {found}")
    found = strict(call(folder, "replay", "udp.h5", "--json", "--set", "compensator.kind=inverse", "--set",
                        "compensator.alpha=3", "--out", "what-if.h5"))
    demand(not found["identical"] and found["channels"][0]["different"] > 1000, f"what if: {found}")
    # Feedback that was changed gives other commands.
    changed = strict(call(folder, "replay", "simulated.h5", "--json"))
    demand(changed["identical"], "a simulation can be replayed too")


def kills(folder):
    """kill -9 of either end at a random moment: the other is safe in time, and the data are there."""
    chance = random.Random(20240229)
    late = 0
    for number in range(KILLS):
        listen, out = f"shm:k{os.getpid()}-{number}", folder / f"killed{number}.h5"
        beat = 0.3
        common = ["quickstart", "--set", f"realtime.heartbeat={beat} s"]
        rig = start(folder, "rig", *common, "--listen", listen, "--once")
        run = start(folder, "run", *common, "--rig", listen, "--out", str(out), "--json")
        raw = pathlib.Path(str(out) + ".raw")
        begun = time.monotonic()
        while not (raw.exists() and raw.stat().st_size > 100_000) and time.monotonic() < begun + 30:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.05, 1.0))
        if number % 2 == 0:
            run.send_signal(signal.SIGKILL)
            finish(run)
            code, _, err = finish(rig)
            demand(code == 1, f"kill {number}: the rig ended with {code}: {err}")
            safe = re.search(r"safe ([\d.]+) ms after the last command; heartbeat timeout ([\d.]+) ms", err)
            demand(safe is not None, f"kill {number}: the rig does not say that it is safe: {err}")
            # Three periods of 1 ms after the timeout; a busy machine may keep the process waiting longer,
            # which is counted and may not be the rule.
            if safe and float(safe[1]) > float(safe[2]) + 3:
                late += 1
            result = strict(call(folder, "recover", str(raw), "--json"))
            demand(result["whole"], f"kill {number}: {result}")
            # Commands the rig answered, less those of arming, are rows; the last 200 may be missing.
            answered = int(re.search(r"after (\d+) commands", err)[1])
            import h5py
            with h5py.File(out) as file:
                rows = len(file["rig/time"])
            demand(rows >= answered - 30 - 200, f"kill {number}: {rows} rows of {answered}")
        else:
            rig.send_signal(signal.SIGKILL)
            finish(rig)
            code, text, err = finish(run)
            result = strict(text)
            demand(code == 1 and result["cause"] == "lost link" and result["state"] == "faulted",
                   f"kill {number}: {code} {result['cause']} {result['state']}")
            demand(out.exists() and not raw.exists(), f"kill {number}: no run file")
            demand(result["time"] > 0, f"kill {number}: nothing had run")
        # A killed rig leaves its memory; the next of that name would take it over.
        pathlib.Path(f"/dev/shm/gusset-{listen[4:]}").unlink(missing_ok=True)
    demand(late <= max(1, KILLS // 4), f"{late} of {KILLS // 2} rigs were safe later than 3 periods after the timeout")
    print(f"{KILLS} kills, {late} late by the machine's load")


def full_disk(folder):
    """A disk that takes no more ramps the test down; what it took is there, and the run says so with exit 1."""
    def little_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond it then fails as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    run = subprocess.Popen([GUSSET, "run", "quickstart", "--set", "realtime.fade_out=0.2 s", "--out", "full.h5", "--json"],
                           cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, preexec_fn=little_room)
    code, text, err = finish(run)
    result = strict(text)
    demand(code == 1 and result["cause"] == "recorder" and result["state"] == "stopped", f"full disk: {code} {text} {err}")
    demand(result["out"] is None and "gusset recover" in err, f"full disk: {err}")
    found = strict(call(folder, "recover", "full.h5.raw", "--json"))["recoveries"][0]
    # The disk is full at some row; what came until 0.2 s before the trip is there.
    demand(found["rows"]["rig"] >= result["commands"] - 200, f"full disk: {found} of {result['commands']}")


def frozen(folder):
    result = strict(call(folder, "run", "quickstart", "--set", "duration=2 s", "--lockstep", "--fault", "freeze from 1",
                         "--out", "frozen.h5", "--json", status=1))
    demand(result["cause"] == "frozen feedback" and 1.09 < result["time"] < 1.12, f"frozen feedback: {result}")


def signals(folder):
    for word in (signal.SIGINT, signal.SIGHUP):  # Ctrl-C; the terminal is gone
        run = start(folder, "run", "quickstart", "--out", f"stopped-{word}.h5", "--json")
        time.sleep(2.5)
        run.send_signal(signal.SIGTSTP)  # Ctrl-Z must not freeze it
        run.send_signal(word)
        code, text, err = finish(run)
        result = strict(text)
        demand(code == 1 and result["state"] == "stopped" and result["cause"] == "operator", f"{word}: {code} {err}")
    run = start(folder, "run", "quickstart", "--out", "halted.h5", "--json")
    time.sleep(2.5)
    run.send_signal(signal.SIGINT)
    time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    code, text, err = finish(run)
    result = strict(text)
    demand(code == 1 and result["state"] == "faulted", f"a second Ctrl-C: {code} {result['state']} {err}")


def attached(folder):
    """From another process: look, hold, go on, stop; and what a killed run leaves."""
    def begin(out):
        run = start(folder, "run", "quickstart", "--out", out, "--json", "--force")
        deadline = time.time() + TIMEOUT
        while not (folder / f"{out}.socket").exists() and run.poll() is None and time.time() < deadline:
            time.sleep(0.02)
        return run

    def await_state(out, state):
        for _ in range(200):
            if strict(call(folder, "run", "--attach", out, "--json"))["state"] == state:
                return
            time.sleep(0.02)
        demand(False, f"the attached run never was in state {state}")

    run = begin("attached.h5")
    await_state("attached.h5", "running")
    call(folder, "run", "--attach", "attached.h5", "--hold")
    await_state("attached.h5", "hold")
    call(folder, "run", "--attach", "attached.h5.socket", "--resume")
    await_state("attached.h5", "running")
    demand("state" in call(folder, "run", "--attach", "attached.h5"), "no status for people")
    call(folder, "run", "--attach", "attached.h5", "--stop")
    code, text, err = finish(run)
    demand(code == 1 and strict(text)["cause"] == "operator", f"stopped from elsewhere: {code} {err}")
    demand(not (folder / "attached.h5.socket").exists(), "the socket stays behind")
    import h5py
    with h5py.File(folder / "attached.h5") as file:
        texts = [text.decode() for text in file["events/text"][()]]
    asked = [text for text in texts if re.fullmatch(r"(hold|resume|stop) asked for by process \d+", text)]
    demand(len(asked) == 3, f"commands in the record: {asked}")

    run = begin("killed-attached.h5")
    await_state("killed-attached.h5", "running")
    run.kill()
    finish(run)
    code, _, err = finish(start(folder, "run", "--attach", "killed-attached.h5", "--status"))
    demand(code == 2 and "gone" in err, f"a socket of nobody: {code} {err}")
    os.unlink(folder / "killed-attached.h5.raw")
    call(folder, "run", "quickstart", "--lockstep", "--out", "killed-attached.h5")
    demand(not (folder / "killed-attached.h5.socket").exists(), "the socket of the killed run stays behind")


SPRING = """title = "A spring in a plug-in"
duration = "2 s"
[structure]
mass = "1 t"
frequency = "2 Hz"
damping_ratio = 0.02
[initial]
displacement = "5 mm"
[method]
profile = "ramp"
[integrator]
dt = "4 ms"
[specimen]
kind = "spring"
stiffness = "50 kN/m"
[rig]
kind = "ideal"
dt = "1 ms"
"""


def plugin(folder):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("no C compiler: the plug-in is left out")
        return
    subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", SOURCE / "src/link",
                    "-o", folder / "spring.so", SOURCE / "examples/rig-plugin/spring.c"], check=True)
    (folder / "spring.toml").write_text(SPRING)
    call(folder, "simulate", "spring.toml", "--out", "spring-simulated.h5")
    call(folder, "run", "spring.toml", "--rig", "plugin:./spring.so?50000", "--lockstep", "--out", "spring.h5")
    exact, run = names(folder / "spring-simulated.h5"), names(folder / "spring.h5")
    demand(all(run.get(name) == data for name, data in exact.items()), "the plug-in's spring is not the simulated one")
    for url, says in (("plugin:./spring.so", "stiffness"), ("plugin:./nothing.so", "cannot be loaded"),
                      ("plugin:spring.toml", "cannot be loaded")):
        code, _, err = finish(start(folder, "run", "spring.toml", "--rig", url, "--out", "no.h5"))
        demand(code == 2 and says in err, f"{url}: {code} {err}")
    demand(not (folder / "no.h5").exists() and not (folder / "no.h5.raw").exists(), "something half written")


def refusals(folder):
    unstable = start(folder, "run", "wu-pure-inertia", "--set", "specimen.mass_ratio=1.2", "--lockstep", "--out", "u.h5",
                     "--json")
    code, text, _ = finish(unstable)
    result = strict(text)
    demand(code == 1 and not result["armed"] and result["commands"] == 0, "an unstable test is not armed")
    demand(result["out"] is None and not (folder / "u.h5").exists(), "what was not armed has no record")
    for command, says in ((["run", "quickstart"], "--out"),
                          (["run", "quickstart", "--out", "x.h5", "--rig", "shm:nobody-there"], "gusset rig"),
                          (["run", "quickstart", "--out", "x.h5", "--rig", "upd://h:1"], "udp"),
                          (["run", "quickstart", "--out", "x.h5", "--fault", "los 1"], "loss"),
                          (["rig", "quickstart", "--listen", "tcp://0.0.0.0:0"], "--key"),
                          (["rig", "quickstart", "--listen", "local:"], "listen"),
                          (["run", "--attach", "nothing.h5", "--stop"], "no run offers a socket"),
                          (["run", "quickstart", "--attach", "nothing.h5"], "--attach"),
                          (["run", "quickstart", "--out", "x.h5", "--hold"], "--attach"),
                          (["run"], "FILE is required"),
                          (["replay", "nothing.h5"], "nothing.h5")):
        code, text, err = finish(start(folder, *command))
        demand(code == 2 and says in err and text == "", f"{command}: {code} {err}")
    demand(not (folder / "x.h5").exists() and not (folder / "x.h5.raw").exists(), "something half written")


def main():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("no h5py")
        return 77
    with tempfile.TemporaryDirectory(prefix="gusset-realtime-") as scratch:
        folder = pathlib.Path(scratch)
        for part in (links, refusals, plugin, full_disk, frozen, signals, attached, kills):
            part(folder)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

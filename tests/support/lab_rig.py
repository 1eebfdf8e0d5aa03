"""A laboratory's rig over udp, written from docs/real-time.md alone: frames, greeting, answers. It says that it is
hardware, stands where it is told to be, and shows a spring of 200 kN/m unless a test says otherwise."""

import socket
import struct
import threading
import zlib

HEAD = "<4sHHQQqqiIII"
HELLO, WELCOME, REFUSED, COMMAND, FEEDBACK, GOODBYE = range(1, 7)
SESSION = 77


def frame(kind, session, sequence, payload=b"", count=0, time=0, step=0, substep=0, phase=0, cause=0):
    head = struct.pack(HEAD, b"GSF1", 1, kind, session, sequence, time, step, substep, phase, cause, count)
    body = head + payload
    return body + struct.pack("<I", zlib.crc32(body))


class LabRig:
    """`answer(command, phase, time)` gives the numbers of an answer, or None for silence."""

    def __init__(self, answer=None, says="hardware"):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.2)
        self.url = f"udp://127.0.0.1:{self.socket.getsockname()[1]}"
        self.answer = answer or (lambda command, phase, time: [command[0], 2e5 * command[0]])
        self.says = says
        self.commands = []  # (phase, value) of every new number
        self.stopping = False
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stopping = True
        self.thread.join()
        self.socket.close()

    def serve(self):
        feedback, last = 0, 0
        while not self.stopping:
            try:
                data, caller = self.socket.recvfrom(65536)
            except socket.timeout:
                continue
            if len(data) < 60:
                continue
            _, _, kind, session, sequence, time, step, substep, phase, _, count = struct.unpack(HEAD, data[:56])
            if kind == HELLO:
                lines = data[56:56 + count].decode().splitlines()
                feedback = sum(line.startswith("feedback") for line in lines)
                kept = [line for line in lines if not line.startswith(("rig ", "mode "))]
                text = ("\n".join(kept + [f"rig {self.says}"]) + "\n").encode()
                last = 0
                self.socket.sendto(frame(WELCOME, SESSION, session, text, len(text)), caller)
            elif kind == COMMAND and session == SESSION:
                command = struct.unpack(f"<{count}d", data[56:56 + 8 * count])
                if sequence > last:
                    self.commands.append((phase, command[0]))
                    last = sequence
                numbers = self.answer(command, phase, time)
                if numbers is None:
                    continue
                numbers = (list(numbers) + [0.0] * feedback)[:feedback]
                payload = struct.pack(f"<{feedback}d", *numbers)
                self.socket.sendto(frame(FEEDBACK, SESSION, sequence, payload, feedback, time, step, substep, phase),
                                   caller)

    def moved(self):
        """Whether any command of a phase that moves came."""
        return any(phase in (1, 2, 3, 4) for phase, _ in self.commands)

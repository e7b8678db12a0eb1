#!/usr/bin/env bash
# simanneal 0.5.0: to make an Annealer sets a handler of SIGINT, though its run may begin much later
# or never. So none can be made in a thread, such as a server's, and afterwards the handler stays:
# the first Ctrl-C of the program only tells that annealer to end.
# Guess before the run: ValueError in a thread.
# Seen: ValueError; after a run SIGINT raises no KeyboardInterrupt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check simanneal==0.5.0
"$folder/venv/bin/python" - <<'PY'
import random
import signal
import threading

from simanneal import Annealer


class Tour(Annealer):
    updates, steps, copy_strategy = 0, 100, "slice"

    def move(self):
        a, b = random.sample(range(len(self.state)), 2)
        self.state[a], self.state[b] = self.state[b], self.state[a]

    def energy(self):
        return sum(abs(a - b) for a, b in zip(self.state, self.state[1:]))


def make():
    try:
        Tour([3, 1, 0, 2])
    except ValueError as error:
        errors.append(str(error))


errors = []
thread = threading.Thread(target=make)
thread.start()
thread.join()
print(errors)
assert len(errors) == 1 and errors[0].startswith("signal only works in main thread")

annealer = Tour([3, 1, 0, 2])
annealer.anneal()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    raise AssertionError("Ctrl-C works as before") from None
print("after the run:", annealer.user_exit)
assert annealer.user_exit is True
PY

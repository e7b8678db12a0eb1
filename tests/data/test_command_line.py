"""The parts shared by the command lines."""

import os
import sys
from importlib import import_module

from data.command_line import exit_on_broken_pipe
from tests.tables import each_row


@each_row("words", [1, 100_000])
def test_closed_output_ends_a_command_without_a_traceback(monkeypatch, words):
    @exit_on_broken_pipe
    def main():
        print("word " * words)
        return 0

    reader, writer = os.pipe()
    os.close(reader)
    monkeypatch.setattr(sys, "stdout", os.fdopen(writer, "w"))
    assert main() == 1
    sys.stdout.close()


@each_row("module", ["data.__main__", "commands.main", "studies.cli.main"])
def test_every_command_with_tables_handles_closed_output(module):
    assert import_module(module).main.__wrapped__

"""Locks between processes, which go with the process that holds them, however it ends."""

import sys

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Lock an open file until it is closed.

        Raises
        ------
        OSError
            If another process has it.
        """
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Lock an open file until it is closed.

        Raises
        ------
        OSError
            If another process has it.
        """
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""Large pages for shared memory: they affect nothing but the time."""

import ctypes
import mmap
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from solvers.mpi import huge_pages
from solvers.mpi.huge_pages import HUGE, MIN_SIZE, bytes_to_page, collapse, map_again, padded_size, page_addresses
from tests.tables import each_row

linux = pytest.mark.skipif(sys.platform != "linux", reason="maps memory a second time as Linux does")
PAGES = 3


@pytest.fixture
def shared_mapping():
    """Memory mapped from a file, and the offset of its first large page."""
    values = np.frombuffer(mmap.mmap(-1, padded_size(PAGES * HUGE)), np.uint8)
    first = bytes_to_page(values.ctypes.data)
    return values[first : first + PAGES * HUGE]


def large_kilobytes(address: int) -> int:
    """The part of this memory in large pages, kB."""
    smaps = Path("/proc/self/smaps").read_text(encoding="utf-8")
    found = re.search(rf"^{address:x}-.*?^ShmemPmdMapped: +(\d+) kB", smaps, re.MULTILINE | re.DOTALL)
    assert found
    return int(found[1])


@linux
def test_remapped_memory_is_the_same_memory(shared_mapping):
    address = map_again(shared_mapping.ctypes.data, shared_mapping.size)
    assert address is not None
    assert address % HUGE == 0
    again = np.ctypeslib.as_array((ctypes.c_uint8 * shared_mapping.size).from_address(address))
    shared_mapping[::1000] = 7
    again[1::1000] = 8
    for _ in range(3):  # one may fail where another process has a page in its hands
        collapse(page_addresses(again))
    np.testing.assert_array_equal(shared_mapping, again)
    assert (shared_mapping[::1000] == 7).all()
    assert (shared_mapping[1::1000] == 8).all()
    assert large_kilobytes(address) in (0, PAGES * HUGE >> 10), "all or, on an old system, none"


@linux
def test_unaligned_memory_is_not_remapped(shared_mapping):
    assert map_again(shared_mapping.ctypes.data + mmap.PAGESIZE, HUGE) is None
    assert map_again(0, HUGE) is None


def test_unknown_page_size_changes_nothing(monkeypatch):
    monkeypatch.setattr(huge_pages.sys, "platform", "any")
    values = np.arange(HUGE, dtype=np.uint8)
    assert bytes_to_page(values.ctypes.data) == 0
    assert map_again(values.ctypes.data, HUGE) is None
    collapse(page_addresses(values))
    np.testing.assert_array_equal(values, np.arange(HUGE, dtype=np.uint8))


@each_row("size", [MIN_SIZE, MIN_SIZE + 1, 5 * HUGE - 1, 5 * HUGE])
def test_whole_pages_fit_at_any_offset(size):
    assert padded_size(size) - HUGE >= size
    assert padded_size(size) % HUGE == 0


def test_small_allocation_stays_small():
    assert padded_size(MIN_SIZE - 1) == MIN_SIZE - 1


def test_every_page_of_a_table_belongs_to_one_part():
    table = np.empty(4 * HUGE, np.uint8)
    cut = 3 * HUGE // 2
    assert [*page_addresses(table[:cut]), *page_addresses(table[cut:])] == [*page_addresses(table)]
    assert all(page % HUGE == 0 for page in page_addresses(table))

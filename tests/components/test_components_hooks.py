"""Of Dash's search for packages that change it, which has no public switch: pages leave it out, and need it nowhere."""

import importlib.metadata
import subprocess
import sys

from fastapi import FastAPI

from components.document.pages import Page

#: Makes a page with a Dash that calls its manager of hooks otherwise, and prints whether it has all that Dash gives it.
RENAMED = """
import dash, dash._hooks as hooks

manager = hooks.HooksManager
del hooks.HooksManager
searched = []
manager.register_setuptools = lambda: searched.append(1)

def setup(self):
    self._hooks = manager
    manager.register_setuptools()

dash.Dash._setup_hooks = setup

from fastapi import FastAPI
from components.document.pages import Page

page = Page(FastAPI(), "/", "watch", lambda: ())
print(len(searched), page.interpolate_index(app_entry="here"))
"""


def test_no_page_searches_the_installed_packages(monkeypatch):
    searched = []
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **_: searched.append(1) or [])
    Page(FastAPI(), "/", "watch", lambda: ())
    assert not searched, (
        "Dash searches all installed packages for each page again: have components/document/pages.py set whatever has "
        "replaced dash._hooks.HooksManager._registered, or drop it there if Dash has a public switch by now."
    )


def test_a_dash_without_that_name_still_makes_pages():
    run = subprocess.run([sys.executable, "-c", RENAMED], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    searched, document = run.stdout.split(" ", 1)
    assert searched == "1", "the search is Dash's own again"
    assert "here" in document

"""The page with a class's join link, for a projector, and the table of everybody's runs.

Both are only on a shared server, and plain HTML without Dash (`page`). `results` lists the runs; `routes` checks what
the host asks the class and what visitors answer.
"""

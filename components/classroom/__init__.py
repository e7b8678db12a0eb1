"""The page with a class's join link, for a projector, and the table of everybody's runs.

Both exist only on a shared server, as plain HTML without Dash (`page`). `results` lists the runs; `routes` checks what
the host asks the class and what visitors answer.
"""

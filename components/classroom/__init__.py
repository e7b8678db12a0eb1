"""The page with a class's join link, for a projector: address (`link`), HTML (`page`) and `routes`.

It is only for the host of a shared server, and plain HTML without Dash. `questions` checks what the host asks the class
and what visitors answer; `results` and `table` show everybody's runs.
"""

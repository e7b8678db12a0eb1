"""The page with the join link for a class, for a projector: `link` is the address, `page` the HTML, `routes` serves it.

It is only for the host of a shared server, and plain HTML without Dash. `questions` checks what the host asks the class
and what visitors answer; `results` and `table` show everybody's runs.
"""

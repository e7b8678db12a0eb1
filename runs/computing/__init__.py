"""Answers that are computed: in processes of their own, bounded, once for all who ask, and sent from files.

`computations` is the executor of the server, `program` what its processes do, `answer` what a function returns that
computes an answer; these functions are beside what they draw and write (`runs.web.downloads` and others).
"""

"""Requests with alternatives of which the scheduler chooses one."""

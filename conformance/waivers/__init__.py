"""Waivers: a file of findings that somebody answers for until a day."""

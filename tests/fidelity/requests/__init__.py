"""Families of requests: a module a kind of object. Every module here is imported, and its families run."""

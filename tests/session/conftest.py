"""Fixtures of these tests."""

from tests.session.project import project

__all__ = ["project"]

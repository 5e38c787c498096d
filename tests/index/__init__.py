"""Tests of the public index of submitted reports."""

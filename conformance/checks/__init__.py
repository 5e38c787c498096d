"""The checks, one behaviour a file, by area of the contract."""

"""gRPC modules generated from proto/*.proto by proto/generate.py; not edited by hand."""

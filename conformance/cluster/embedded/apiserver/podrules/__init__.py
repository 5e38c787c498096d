"""Rules of pods, a module for each part of them (pkg/apis/core/validation/validation.go)."""

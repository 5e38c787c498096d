"""Reports: report.json is the one source; every other format is made from it."""

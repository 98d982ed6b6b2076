"""The page that a reviewer reads first: what a run brought back, what it did not, and why."""

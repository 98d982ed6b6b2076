"""What is measured of a selection on one split: (selection, split, **options) -> measures."""

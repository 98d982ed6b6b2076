"""The methods of the papers, one file each, behind one signature: (X, y, *, rng, **options) -> Selection."""

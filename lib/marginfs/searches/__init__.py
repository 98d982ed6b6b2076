"""Ways through the subsets of features."""

"""From a verified table, or a user's own file, to the data set that unit jobs read."""

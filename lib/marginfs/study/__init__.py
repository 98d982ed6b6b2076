"""Studies: configuration and protocol as typed objects, units and chunks, random streams, provenance."""

"""Parsers, one file format a file: the bytes of a source's files in, text records out. formats: the table of them."""

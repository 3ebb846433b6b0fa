"""Spiders: the general one and a file for each site that needs its own."""

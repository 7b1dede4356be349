"""The seed of every random number of this room, unless the caller names another."""

SEED = 20261115

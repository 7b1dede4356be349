"""Imports the module of each family, so every index of a partition or cover is declared."""

from importlib import import_module

# The order in which tables show the families.
FAMILIES = (
    "pairs",
    "pair_coefficients",
    "adjusted",
    "information",
    "information_distances",
    "chance_information",
    "association",
    "matching",
    "one_to_one",
    "entities",
    "coreference",
    "element_centric",
    "segmentation",
    "objects",
    "edits",
    "covers",
    "cover_information",
)

for _family in FAMILIES:
    import_module(f"concordant.indices.{_family}")

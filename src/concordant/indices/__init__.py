"""The indices, one or two modules a family. Importing this package declares them all."""

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
    "elements",
    "segmentation",
    "objects",
    "edits",
    "covers",
    "cover_information",
)

for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")

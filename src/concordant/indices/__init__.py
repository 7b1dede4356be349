"""The indices, one module a family. Importing this package declares them all."""

from importlib import import_module

# The order in which tables show the families.
FAMILIES = (
    "pairs",
    "adjusted",
    "information",
    "chance_information",
    "association",
    "matching",
    "entities",
    "elements",
    "edits",
)

for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")

"""All commands: importing their modules declares them."""

from concordant.cli import catalogue, diffs, hierarchies, many, mentions, samples, two_sides
from concordant.cli.options import app

__all__ = ["app", "catalogue", "diffs", "hierarchies", "many", "mentions", "samples", "two_sides"]

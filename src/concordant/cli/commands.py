"""All commands: importing their modules declares them."""

from importlib import import_module

from concordant.cli import MODULES
from concordant.cli.options import app

__all__ = ["app"]

for _module in dict.fromkeys(MODULES.values()):
    import_module(f"concordant.{_module}")

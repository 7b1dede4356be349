"""Sources: dataframes and files that hold clusterings, how they are opened, read and written."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.sources import files, writing

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)

"""Sources: dataframes and files that hold clusterings, how they are opened, read and written."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.sources import files, mentions, writing  # noqa: F401  (attributes of the package)

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)

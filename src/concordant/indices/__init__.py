"""The indices: declarations, catalogues, and results that hold values of indices."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.indices import trees  # noqa: F401  (attributes of the package)

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)

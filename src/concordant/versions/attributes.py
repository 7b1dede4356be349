"""The metrics of a diff as attributes. For type checkers, the stub declares them."""

from concordant.indices.attributes import attributes_of
from concordant.versions.indices import DIFF_INDICES

DiffIndices = attributes_of("DiffIndices", DIFF_INDICES)

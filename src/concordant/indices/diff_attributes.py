"""The indices of diffs as attributes of a diff. For type checkers, the stub declares them."""

from concordant.indices.attributes import attributes_of
from concordant.indices.diff import DIFF_INDICES

DiffIndices = attributes_of("DiffIndices", DIFF_INDICES)

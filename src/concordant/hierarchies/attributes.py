"""Tree indices as attributes of a comparison. For type checkers, the stub declares them."""

from concordant.hierarchies.indices import TREE_INDICES, TREE_PARTITION_INDICES
from concordant.indices.attributes import attributes_of

TreeIndices = attributes_of("TreeIndices", TREE_INDICES, TREE_PARTITION_INDICES)

"""Tree indices as attributes of a comparison. For type checkers, the stub declares them."""

from concordant.indices.attributes import attributes_of
from concordant.indices.trees import TREE_INDICES, TREE_PARTITION_INDICES

TreeIndices = attributes_of("TreeIndices", TREE_INDICES, TREE_PARTITION_INDICES)

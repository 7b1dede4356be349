"""Soft indices as attributes of a comparison. For type checkers, the stub declares them."""

from concordant.indices.attributes import attributes_of
from concordant.soft.indices import SOFT_INDICES

SoftIndices = attributes_of("SoftIndices", SOFT_INDICES)

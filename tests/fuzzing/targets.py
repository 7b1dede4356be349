"""All that is tried."""

from fuzzing import (
    arrows,
    buffers,
    draws,
    graphs,
    joins,
    lying_arrows,
    noise,
    records,
    runs,
    saved,
    soft,
    spellings,
    suggestions,
    texts,
    trees,
    weights,
)

_MODULES = (
    buffers,
    runs,
    arrows,
    lying_arrows,
    records,
    graphs,
    joins,
    draws,
    texts,
    saved,
    spellings,
    suggestions,
    noise,
    weights,
    trees,
    soft,
)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

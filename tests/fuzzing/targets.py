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
    spellings,
    suggestions,
    texts,
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
)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

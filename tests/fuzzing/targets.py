"""All that is tried."""

from fuzzing import (
    arrows,
    buffers,
    draws,
    graphs,
    joins,
    lying_arrows,
    records,
    runs,
    saved,
    spellings,
    suggestions,
    texts,
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
)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

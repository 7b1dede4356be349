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
    texts,
)

_MODULES = (buffers, runs, arrows, lying_arrows, records, graphs, joins, draws, texts, saved, spellings)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

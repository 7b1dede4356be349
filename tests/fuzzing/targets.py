"""All that is tried."""

from fuzzing import arrows, buffers, draws, joins, lying_arrows, records, saved, spellings, texts

_MODULES = (buffers, arrows, lying_arrows, records, joins, draws, texts, saved, spellings)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

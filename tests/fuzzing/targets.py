"""All that is tried."""

from fuzzing import arrows, buffers, lying_arrows, records, saved, spellings, texts

_MODULES = (buffers, arrows, lying_arrows, records, texts, saved, spellings)
TARGETS = [target for module in _MODULES for target in module.TARGETS]

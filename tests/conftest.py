"""Settings that all tests share."""

from hypothesis import settings

# The machine may be busy: how long an example takes says nothing about whether it is right.
settings.register_profile("concordant", deadline=None)
settings.load_profile("concordant")

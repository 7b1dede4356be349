"""What may be raised where input is hostile."""

from concordant.errors import ConcordantError

REFUSALS = (ConcordantError, ValueError, TypeError, MemoryError)


def answer(call, *arguments, **options):
    """What the call gives, or None where it is refused as it may be."""
    try:
        return call(*arguments, **options)
    except REFUSALS:
        return None


def refused(call, *arguments, **options):
    """Whether the call is refused; any other exception is a find."""
    try:
        call(*arguments, **options)
    except REFUSALS:
        return True
    return False

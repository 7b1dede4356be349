"""Spellings of indices: a number, or an error of ours."""

import concordant as cc
from concordant.errors import ConcordantError

_WORDS = "f_measure rand ARI nmi generalised_merge_distance beta mean max price lambda True None __import__"
_NUMBERS = "2 0x1 1_0 1e999 nan ** // %s"
_SIGNS = "()[]{}=, -*.\\\n\0:#@'\"é\ud800"
_PIECES = [*_WORDS.split(), *_NUMBERS.split(), *_SIGNS, "9" * 400]


def spell(random):
    """c["..."] for any text."""
    text = "".join(random.choice(_PIECES) for _ in range(random.randrange(12)))
    if random.randrange(2):
        text = f"f_measure(beta={text})"
    c = cc.compare([0, 0, 1, 1], [0, 1, 1, 1])
    try:
        value = c[text]
    except ConcordantError:
        return
    assert isinstance(value, float), (text, value)


TARGETS = [spell]

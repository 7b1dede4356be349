"""Suggestions in errors about elements that are unmatched, have no label, or are noise."""

from __future__ import annotations

from concordant.errors import Remedy

FOR_UNMATCHED = (
    Remedy("leave them out", unmatched="drop"),
    Remedy("make each a singleton on the side that lacks it", unmatched="singletons"),
    Remedy("let each side keep its own, as coreference scorers do", unmatched="keep"),
)
FOR_NULLS = (
    Remedy("leave them out", nulls="drop"),
    Remedy("let each be a cluster of its own", nulls="singletons"),
)
FOR_NOISE = (
    Remedy("keep it as one cluster", noise_as="cluster"),
    Remedy("make each of its records a singleton", noise_as="singletons"),
    Remedy("leave its records out", noise_as="drop"),
)

"""Two runs: what changed, questions about the change, answers, audits, page and commands."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.versions import page, review_page

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)

"""Pages. Module `page` has what all share; the others have sections, which a result puts on its page."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.report.labels import PageLabels
    from concordant.report.pages.page import (
        Page,
        Section,
        chart_section,
        key_numbers,
        listing_section,
        paragraphs,
        signature_section,
        title_of_sides,
    )

__all__ = [
    "Page",
    "PageLabels",
    "Section",
    "chart_section",
    "key_numbers",
    "listing_section",
    "paragraphs",
    "signature_section",
    "title_of_sides",
]

if not TYPE_CHECKING:
    __getattr__ = attributes(
        __name__,
        {
            "Page": "page",
            "PageLabels": "page",
            "Section": "page",
            "chart_section": "page",
            "key_numbers": "page",
            "listing_section": "page",
            "paragraphs": "page",
            "signature_section": "page",
            "title_of_sides": "page",
        },
    )

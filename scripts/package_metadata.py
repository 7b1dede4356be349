"""Metadata for a package index: the README with links that work there, and the addresses of the project.

The build calls it; the address of the repository is one setting, `repository` in pyproject.toml. As long as
it is empty, links to files of the repository become plain words, since an index has nowhere to lead them, and
no address is made up.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)\n*")
CAPTION = re.compile(r"^\*.*`scripts/make_picture\.py`.*\*\n\n", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")


def readme_for_an_index(text: str, repository: str) -> str:
    """The README with absolute links, or without those that lead nowhere."""
    if repository:
        text = PICTURE.sub(rf"![\1]({repository}/raw/main/\2)\n\n", text)
        return LINK.sub(rf"[\1]({repository}/blob/main/\2)", text)
    return LINK.sub(r"\1", PICTURE.sub("", CAPTION.sub("", text)))


def addresses(repository: str) -> dict[str, str]:
    """The addresses that a package index lists."""
    if not repository:
        return {}
    return {
        "Repository": repository,
        "Documentation": f"{repository}/tree/main/docs",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the package's metadata that follow from the address of the repository."""
    del project  # the build hands it over to every provider
    repository = settings["repository"].rstrip("/")
    text = readme_for_an_index(Path("README.md").read_text(encoding="utf-8"), repository)
    return {
        "readme": {"content-type": "text/markdown", "text": text},
        "urls": addresses(repository),
    }

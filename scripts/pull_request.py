"""Write a comment on a pull request, or update the one written before: the last step of action.yml.

    python scripts/pull_request.py comment.md NAME

The comment begins with a hidden mark of its name, by which it is found again. The workflow's summary gets it,
too. GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_API_URL and GITHUB_STEP_SUMMARY are those of
GitHub's runners. A token without permission to write (as that of forks) is a warning, not a failure.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PAGE = 100  # comments in one answer, the most that there can be
TRUSTED = ("OWNER", "MEMBER", "COLLABORATOR")  # whose tokens a workflow may have
REFUSED = (401, 403, 404)  # how GitHub answers a token without permission


def ask(method: str, path: str, content: dict[str, str] | None = None) -> Any:
    """Call GitHub's API, and return what it answers."""
    address = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/{path}"
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
    }
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310  (the runner's address)
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.load(answer)


def number_of_pull_request() -> int | None:
    """The pull request that the workflow runs for; None if it runs for another event."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    found = event.get("pull_request", {}).get("number")
    return int(found) if found is not None else None


def earlier_comment(place: str, mark: str) -> int | None:
    """The number of the comment that begins with the mark, and that a stranger did not write."""
    page = 1
    while comments := ask("GET", f"{place}?per_page={PAGE}&page={page}"):
        for each in comments:
            is_ours = each["user"]["type"] == "Bot" or each["author_association"] in TRUSTED
            if is_ours and (each["body"] or "").startswith(mark):
                return int(each["id"])
        page += 1
    return None


def publish(text: str, name: str) -> str:
    """Write or update the comment; what was done, in one line."""
    number = number_of_pull_request()
    if number is None:
        return "This workflow does not run for a pull request, so there is no comment."
    issues = f"repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    mark = f"<!-- concordant: {name} -->"
    content = {"body": f"{mark}\n{text}"}
    try:
        found = earlier_comment(f"{issues}/{number}/comments", mark)
        if found is None:
            ask("POST", f"{issues}/{number}/comments", content)
            return f"Wrote a comment on pull request {number}."
        ask("PATCH", f"{issues}/comments/{found}", content)
    except urllib.error.HTTPError as error:
        if error.code not in REFUSED:
            raise
        return (
            f"::warning::GitHub answers {error.code}: the token may not write comments. Give the job "
            "'permissions: pull-requests: write'; for pull requests from forks, read the summary instead."
        )
    return f"Updated the comment on pull request {number}."


def main() -> None:
    path, name = sys.argv[1:]
    text = Path(path).read_text(encoding="utf-8")
    if not text:
        sys.exit(f"{path} is empty: the command failed before it wrote a comment")
    if "GITHUB_STEP_SUMMARY" in os.environ:
        with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
            summary.write(text)
    print(publish(text, name))


if __name__ == "__main__":
    main()

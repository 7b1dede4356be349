# ruff: noqa: S603  (the processes started here are our own)
"""action.yml and its script, without network: a server on this machine answers as GitHub does."""

import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from commands import COMMAND, table

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "pull_request.py"
MARK = "<!-- concordant: nightly -->"


class GitHub(BaseHTTPRequestHandler):
    """The comments of one pull request."""

    def answer(self, status, content=None):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def read(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def do_GET(self):
        assert self.headers["Authorization"] == "Bearer secret"
        assert self.path.startswith("/repos/us/data/issues/7/comments?")
        page = int(self.path.rpartition("=")[2])
        by = {"user": {"type": self.server.kind}, "author_association": "NONE"}
        found = [{"id": id, "body": body} | by for id, body in self.server.comments.items()]
        self.answer(200, found[100 * (page - 1) : 100 * page])

    def do_POST(self):
        if self.server.refuses:
            return self.answer(self.server.refuses)
        assert self.path == "/repos/us/data/issues/7/comments"
        self.server.comments[max(self.server.comments, default=0) + 1] = self.read()
        return self.answer(201, {})

    def do_PATCH(self):
        id = int(self.path.removeprefix("/repos/us/data/issues/comments/"))
        assert id in self.server.comments
        self.server.comments[id] = self.read()
        self.answer(200, {})

    def log_message(self, *_):
        pass


@pytest.fixture
def github():
    server = HTTPServer(("127.0.0.1", 0), GitHub)
    server.comments, server.refuses, server.kind = {}, None, "Bot"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def publish(github, tmp_path):
    """Run the script on a comment."""

    def publish(text, event='{"pull_request": {"number": 7}}'):
        (tmp_path / "event.json").write_text(event, encoding="utf-8")
        (tmp_path / "comment.md").write_text(text, encoding="utf-8")
        settings = {
            "GITHUB_TOKEN": "secret",
            "GITHUB_REPOSITORY": "us/data",
            "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        }
        return subprocess.run(
            [sys.executable, SCRIPT, tmp_path / "comment.md", "nightly"],
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=False,
        )

    return publish


def test_one_comment_is_written_and_then_updated(github, publish, tmp_path):
    github.comments |= dict.fromkeys(range(1, 121), "a person's words")
    assert "Wrote a comment on pull request 7" in publish("first").stdout
    assert github.comments[121] == f"{MARK}\nfirst"
    assert "Updated the comment" in publish("second – ✅").stdout
    assert github.comments[121] == f"{MARK}\nsecond – ✅"
    assert len(github.comments) == 121
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == "firstsecond – ✅"


def test_the_comment_of_a_stranger_is_not_changed(github, publish):
    github.kind, github.comments = "User", {1: f"{MARK}\nmine"}
    assert "Wrote a comment" in publish("text").stdout
    assert github.comments == {1: f"{MARK}\nmine", 2: f"{MARK}\ntext"}


def test_a_token_that_may_not_write_is_a_warning(github, publish):
    github.refuses = 403
    ran = publish("text")
    assert ran.returncode == 0
    assert ran.stdout.startswith("::warning::GitHub answers 403")
    github.refuses = 500
    assert publish("text").returncode != 0


def test_other_events_have_no_comment(github, publish):
    ran = publish("text", event='{"ref": "refs/heads/main"}')
    assert (ran.returncode, github.comments) == (0, {})
    assert "does not run for a pull request" in ran.stdout


def test_an_empty_comment_is_an_error(publish):
    assert "failed before it wrote" in publish("").stderr


@pytest.mark.parametrize(("gate", "status"), [("rand=1", 1), ("no_such=1", 2), ('rand=1"', None)])
def test_the_action_runs_the_command(tmp_path, monkeypatch, gate, status):
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert set(action["inputs"]) == {"arguments", "name", "version", "token"}
    (step,) = (each for each in action["runs"]["steps"] if each.get("id") == "compare")
    monkeypatch.chdir(tmp_path)
    table("the truth.csv", {"a": 1, "b": 1, "c": 2})
    table("guess.csv", {"a": 1, "b": 2, "c": 2})
    program = tmp_path / "concordant" / "bin" / "concordant"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    settings = {
        "ARGUMENTS": f'compare "the truth.csv" guess.csv --fail-under {gate}',
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "NAME": "two words",
    }
    ran = subprocess.run(
        [shutil.which("bash"), "-e", "-c", step["run"]],
        env=os.environ | settings,
        check=False,
        capture_output=True,
    )
    output = (tmp_path / "output").read_text(encoding="utf-8").split("\n")
    path = tmp_path / "concordant-comment-two_words.md"
    assert output[0] == f"comment={path}"
    assert ("status=" in "".join(output)) == (ran.returncode == 0) == (status is not None)
    assert status is None or output[1] == f"status={status}"
    head = path.read_text(encoding="utf-8").split("\n")[0]
    assert (head == "### concordant could not compare") == (status != 1)

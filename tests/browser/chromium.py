"""A headless Chromium, spoken to in the DevTools protocol: as much of it as tests and screenshots need."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import websocket

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 60  # seconds
_FADE = 1.5  # seconds until charts stand still after the window changed


def find() -> str | None:
    """The path of a Chromium, or None; Debian's package is called chromium."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


@contextmanager
def launched(program: str) -> Iterator[Browser]:
    """A running browser that forgets everything when it is closed."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        options += [
            "--remote-debugging-port=0",
            f"--user-data-dir={folder}",
            "--disable-background-networking",
        ]
        options += ["--disable-dev-shm-usage", "--disable-component-update", "--force-color-profile=srgb"]
        process = subprocess.Popen(  # noqa: S603  (the path was looked up above)
            [program, *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            browser = Browser(_address(Path(folder) / "DevToolsActivePort"))
            yield browser
            browser.close()
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _address(file: Path) -> str:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.05)
    raise TimeoutError("the browser did not start in time")


class Browser:
    """The connection to a browser; each page is a session of its own."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(address, timeout=_PATIENCE, suppress_origin=True)
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        self._socket.close()

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        self._socket.send(json.dumps({**message, "sessionId": session} if session else message))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(
        self,
        file: Path,
        *,
        width: int = 1200,
        height: int = 900,
        theme: str = "light",
        fragment: str = "",
        ready: str = "document.documentElement?.dataset.drawn === 'yes'",
    ) -> Page:
        """Open a file with the network off, and wait until it is ready: the charts of a page are drawn."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.call(
            "Network.emulateNetworkConditions",
            offline=True,
            latency=0,
            downloadThroughput=0,
            uploadThroughput=0,
        )
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        page.resize(width, height)
        page.call("Page.navigate", url=file.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        page.wait_for(ready)
        return page


class Page:
    """One open page, and all that it said and asked for."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)

    def call(self, method: str, **parameters: Any) -> Any:
        return self._browser.call(method, self._session, **parameters)

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not self.run(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited in vain for {condition}; errors: {self.errors()}")
            time.sleep(0.05)

    def hover(self, selector: str, number: int = 0) -> None:
        """Move the mouse to the middle of an element."""
        script = f"""(() => {{
            const element = document.querySelectorAll({json.dumps(selector)})[{number}];
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        x, y = self.run(script)
        self.move(x, y)

    def move(self, x: float, y: float) -> None:
        for step in (3, 0):  # a mouse that only appears somewhere has not moved
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - step, y=y - step)

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def type(self, selector: str, text: str) -> None:
        """Put the text into a field, as typing does."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.call("Input.insertText", text=text)

    def errors(self) -> list[str]:
        """What the console was told of errors and warnings."""
        found = []
        for event in self._own():
            what = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(what["exceptionDetails"]))
            if event["method"] == "Runtime.consoleAPICalled" and what["type"] in (
                "error",
                "warning",
                "assert",
            ):
                found.append(str(what["args"]))
            if event["method"] == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
                found.append(what["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """The addresses that the page asked for, its own file left out."""
        asked = [
            event["params"]["request"]["url"]
            for event in self._own()
            if event["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in asked if not url.startswith(("data:", "blob:"))][1:]

    def _own(self) -> list[dict[str, Any]]:
        return [event for event in self._browser.events if event.get("sessionId") == self._session]

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key where the focus is: "Tab", "Enter", "Escape"."""
        code = {"Tab": 9, "Enter": 13, "Escape": 27}[key]
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                modifiers=8 if shift else 0,
                **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}),
            )

    def emulate(self, **features: str) -> None:
        """Media features as a reader's system has them: ``forced_colors="active"``."""
        said = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", features=said)

    def screenshot(self, file: Path, *, clip: tuple[float, float, float, float] | None = None) -> None:
        """A picture of the window, or of a part of the page: x, y, width, height."""
        options: dict[str, Any] = {"format": "png"}
        if clip is not None:
            self.resize(int(clip[2]), int(clip[1] + clip[3]) + 1)
            time.sleep(_FADE)
            options["clip"] = dict(zip(("x", "y", "width", "height", "scale"), (*clip, 1), strict=True))
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **options)["data"]))

"""The installed Chromium, driven by Playwright: pages are opened without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from playwright import sync_api

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DRAWN = "document.documentElement?.dataset.drawn === 'yes'"


def is_required() -> bool:
    """Whether a missing browser is a failure, as in the workflows, and not a reason to skip."""
    return os.environ.get("CONCORDANT_REQUIRE_BROWSER", "0") not in ("", "0")


def find() -> str | None:
    """The path of a Chromium, or None; Debian's package is called chromium."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


@contextmanager
def launched(program: str) -> Iterator[Browser]:
    """A running browser that forgets everything when it is closed."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield Browser(browser)
        browser.close()


class Browser:
    """A browser whose pages have no network."""

    def __init__(self, browser: sync_api.Browser) -> None:
        self._browser = browser

    def open(
        self,
        file: Path,
        *,
        width: int = 1200,
        height: int = 900,
        theme: Any = "light",
        fragment: str = "",
        ready: str = DRAWN,
    ) -> Page:
        """Open a file, and wait until it is ready."""
        context = self._browser.new_context(
            offline=True,
            color_scheme=theme,
            viewport={"width": width, "height": height},
            is_mobile=width < 600,
        )
        page = Page(context.new_page())
        page.goto(file, fragment)
        page.wait_for(ready)
        return page


class Page:
    """One open page, the errors on its console, and the addresses that it requested."""

    def __init__(self, page: sync_api.Page) -> None:
        self.playwright = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, message: sync_api.ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.errors.append(message.text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.playwright.context.close()

    def goto(self, file: Path, fragment: str = "") -> None:
        self.playwright.goto(file.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        self.requests.clear()  # its own file

    def resize(self, width: int, height: int) -> None:
        self.playwright.set_viewport_size({"width": width, "height": height})

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        return self.playwright.evaluate(script)

    def wait_for(self, condition: str) -> None:
        self.playwright.wait_for_function(f"() => {condition}")

    def scroll_to(self, selector: str) -> None:
        """Scroll an element to the middle; the scroll event comes with the next frame, and hides tooltips."""
        self.playwright.locator(selector).first.evaluate("""(element) => new Promise((done) => {
            element.scrollIntoView({block: 'center'});
            requestAnimationFrame(() => requestAnimationFrame(() => done()));
        })""")

    def click(self, selector: str) -> None:
        self.playwright.locator(selector).first.evaluate("(element) => element.click()")

    def type(self, selector: str, text: str) -> None:
        """Replace the text of a field, as typing does."""
        self.playwright.locator(selector).first.fill(text)

    def press(self, key: str) -> None:
        """Press a key where the focus is: "Tab", "Enter", "Escape"."""
        self.playwright.keyboard.press(key)

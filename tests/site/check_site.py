#!/usr/bin/env python3
"""Holds a built site against what it promises: links that lead somewhere, nothing asked of others, a phone's width, dark mode.

usage: check_site.py SITE PROFILE [PICTURES]    (PROFILE: an empty folder for the browser; PICTURES: where to keep what is shown)
"""
import base64
import html.parser
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from browser import Browser  # noqa: E402


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], {"", "__top"}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.targets.append((tag, value))


def dead_links(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    count = 0
    for path, page in pages.items():
        if path.name in ("404.html", "sample.html"):  # the one is served from anywhere, the other is a program
            continue
        for tag, target in page.targets:
            if re.match(r"https?:", target):
                if tag != "a":
                    yield f"{path.relative_to(site)} loads {target}"
                continue
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            name, _, anchor = urllib.parse.unquote(target).partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.is_file():
                yield f"{path.relative_to(site)} links {target}, which is not there"
            elif anchor and file in pages and anchor not in pages[file].anchors:
                yield f"{path.relative_to(site)} links {target}, a heading that is not there"
    if count < 500:
        yield f"only {count} links"


def shown(site, profile, pictures):
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        sys.exit("no Chromium")
    browser = Browser(program, profile)
    browser.call("Page.enable")
    browser.call("Network.enable")

    def value(expression):
        return browser.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)["result"].get("value")

    pages = sorted(path for path in site.rglob("*.html") if path.name not in ("404.html", "sample.html"))
    for theme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        for width in (390, 1280):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
            for page in pages if (theme, width) == ("light", 390) else [site / "index.html", site / "docs/reference/window.html"]:
                browser.events.clear()
                browser.call("Page.navigate", url=page.as_uri())
                browser.wait("Page.loadEventFired")
                name = f"{page.relative_to(site)} ({theme}, {width} pixels)"
                wide = value("document.documentElement.scrollWidth")
                if wide > width:
                    yield f"{name} is {wide} pixels wide"
                color = value("getComputedStyle(document.body).backgroundColor")
                light = sum(map(float, re.findall(r"[\d.]+", color)[:3])) / 765
                if (light > 0.5) != (theme == "light"):
                    yield f"{name} has the background {color}"
                for event in browser.events:
                    if event.get("method") == "Network.requestWillBeSent":
                        url = event["params"]["request"]["url"]
                        if not re.match(r"(file|data|blob|about):", url):
                            yield f"{name} asks for {url}"
                if pictures and page.name in ("index.html", "window.html") and len(page.parts) - len(site.parts) in (1, 3):
                    shot = browser.call("Page.captureScreenshot")["data"]
                    (pictures / f"{page.stem}-{theme}-{width}.png").write_bytes(base64.b64decode(shot))
    browser.end()


def main():
    site, profile = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    faults = [*dead_links(site), *shown(site, profile, pictures)]
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    if len(index["docs"]) < 100:
        faults.append(f"the search knows {len(index['docs'])} places")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())

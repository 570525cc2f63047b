"""What Chromium makes of a page: on a light and a dark page, as wide as a phone and as a desk. A line each:

  SCHEME WIDTH scrolls=W pictures=N loaded=N hash=H requests=N text=LEAST_PIXELS cut=PIXELS_OF_TABLES

usage: read_in_browser.py CHROMIUM PAGE.html [FOLDER]   (FOLDER: for screenshots)
"""
import base64
import pathlib
import signal
import sys
import tempfile

from browser import Browser

MEASURE = """(() => {
  const images = [...document.images].filter(i => i.offsetParent);
  let hash = 0;
  for (const i of images) for (const c of i.currentSrc.slice(0, 4000)) hash = (hash * 31 + c.charCodeAt(0)) | 0;
  const least = Math.min(...[...document.querySelectorAll('.timeline text')].filter(t => t.getClientRects().length)
    .map(t => t.getBoundingClientRect().height));
  return {scrolls: document.documentElement.scrollWidth, pictures: images.length,
          loaded: images.filter(i => i.complete && i.naturalWidth > 0).length, hash, text: Math.round(least),
          cut: Math.max(0, ...[...document.querySelectorAll('.scroll')].map(t => t.scrollWidth - t.clientWidth))};
})()"""


def look(browser, url, scheme, width, folder):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 640)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.events = []
    browser.call("Page.navigate", url=url)
    browser.wait("Page.loadEventFired")
    browser.call("Runtime.evaluate", expression="Promise.all([...document.images].map(i => i.decode().catch(() => 0)))",
                 awaitPromise=True)
    seen = browser.call("Runtime.evaluate", expression=MEASURE, returnByValue=True)["result"]["value"]
    urls = [e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    others = [u for u in urls if u != url and not u.startswith("data:")]
    print(scheme, width, *(f"{key}={seen[key]}" for key in ("scrolls", "pictures", "loaded", "hash")), f"requests={len(others)}",
          f"text={seen['text']}",
          f"cut={seen['cut']}")
    if folder:
        picture = browser.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        (pathlib.Path(folder) / f"{scheme}-{width}.png").write_bytes(base64.b64decode(picture))


def look_at_all(browser):
    browser.call("Page.enable")
    browser.call("Network.enable")
    for scheme in ("light", "dark"):
        for width in (390, 1440):
            look(browser, pathlib.Path(sys.argv[2]).resolve().as_uri(), scheme, width, sys.argv[3] if len(sys.argv) > 3 else None)
    browser.end()


# Whoever waits no longer leaves neither a browser nor its files.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("it took too long"))
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(sys.argv[1], profile)
    try:
        look_at_all(browser)
    finally:
        browser.kill()

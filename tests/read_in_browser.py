"""What Chromium makes of a page: on a light and a dark page, as wide as a phone and as a desk. A line each:

  SCHEME WIDTH scrolls=W pictures=N loaded=N hash=H requests=N text=LEAST_PIXELS cut=PIXELS_OF_TABLES

usage: read_in_browser.py CHROMIUM PAGE.html [FOLDER]   (FOLDER: for screenshots)
"""
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

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


class Browser:
    """One page, spoken to through a pair of pipes, which need no port."""

    def __init__(self, program, profile):
        here, there_in = os.pipe()
        out, there_out = os.pipe()
        read_end, self.write_end = here, there_in
        self.read_end, write_end = out, there_out

        def prepare():
            # The browser reads from 3 and writes to 4.
            a, b = os.dup(read_end), os.dup(write_end)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-extensions", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=prepare, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.rest, self.next, self.events, self.session = b"", 1, [], None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.read_end, 1 << 20)
            if not part:
                sys.exit("the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        message = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.next += 1
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.receive())

    def end(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()


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

"""What Chromium makes of a page of `memcity page`: draws it with SwiftShader, points, types, and reads it back.

usage: page_in_browser.py CHROMIUM CHECK ARGUMENTS…  [+ CHECK ARGUMENTS…]…

With MC_TEST_GL=mesa it draws with Mesa's GL, llvmpipe, instead.

  values PAGE ROWS        every value of every building at every step is that of the rows (memcity export --rows --tsv)
  picture PAGE PNG LIGHT [ADDRESS]  draws the city alone as large as 640x400, into PNG
  use PAGE NAME           keys, pointer, search, districts, findings, addresses; NAME: a part of a name that one building has
  prints PAGE VIEW        printing gives a report, in light colours
  flat PAGE PNG VIEW LIGHT  draws a sunburst or an icicle alone as large as 640x400, into PNG
  extents PAGE TSV STEP   every group goes from where to where `memcity tree --tsv` says
  views PAGE              sunburst and icicle: keys, pointer, fingers, address
  renderer                it is drawn with what it is to be drawn with
  constants               WebGL's are those of page/shorten.py
  shortens                what page/shorten.py makes of a script does the same
  opens PAGE STEP NAME DISTANCE THEME VIEW   as it was made to open
  phone PAGE              390 pixels wide
  unknown PAGE            what is not known is "–"
  texts PROGRAM           numbers are written as PROGRAM prints them
  plain PAGE              in a browser without WebGL
  hostile PAGE            nothing of it runs, nothing is asked for
  served URL              of memcity serve: nothing but its own server can be reached
  grows URL NAME PORT FILE…  of memcity serve --follow, which follows memcity listen at PORT: a step more for each FILE; NAME is
                          selected; through a tunnel, which breaks before the last one
PAGE may also be the address of a page that is served.
"""
import base64
import csv
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "page"))
from shorten import GL, shorten_script  # noqa: E402

RENDERERS = {"swiftshader": ("SwiftShader", ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")),
             "mesa": ("llvmpipe", ("--use-gl=angle", "--use-angle=gl-egl"))}
RENDERER, OPTIONS = RENDERERS[os.environ.get("MC_TEST_GL", "swiftshader")]
OPTIONS = (*OPTIONS, "--ignore-gpu-blocklist")
READ = """(() => {
  const model = memcity.data(), list = [];
  const name = (node) => node > 0 ? [...name(model.parent[node]), memcity.name(node)] : [];
  for (const node of model.buildings)
    list.push([name(node), memcity.readAll(node), memcity.readAll(node, true)]);
  return { times: model.facts.steps.map((step) => step.ms), list };
})()"""
REST = "new Promise((done) => { const look = () => (memcity.isResting() ? done() : setTimeout(look, 20)); look(); })"
LIT = REST.replace("isResting", "isLit")
VIEWS = ["city", "sunburst", "icicle"]
failures = []


def check(is_so, text):
    if not is_so:
        failures.append(text)
        print(f"failed: {text}", file=sys.stderr)


class Page:
    def __init__(self, browser, path, size=(640, 400), scheme="light", address=""):
        self.browser, self.url = browser, path if path.startswith("http:") else pathlib.Path(path).resolve().as_uri()
        browser.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 640)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                             {"name": "prefers-reduced-motion", "value": "reduce"}])
        for url in ("about:blank", self.url + address):
            browser.events = []
            browser.call("Page.navigate", url=url)
            browser.wait("Page.loadEventFired")
        self.get("memcity.ready")
        self.rest()

    def get(self, expression):
        answer = self.browser.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def rest(self):
        self.get(REST)

    def key(self, key, code=0, modifiers=0, place=""):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=place, windowsVirtualKeyCode=code, modifiers=modifiers, **text)
            text = {}
        self.rest()

    def mouse(self, kind, x, y, button="left"):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button,
                          buttons=0 if kind == "mouseReleased" else 1, clickCount=1)

    def click(self, x, y):
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)
        self.rest()

    def get_requests(self):
        """All but those that the page's own policy refused."""
        events = [(e["method"], e["params"]) for e in self.browser.events if e.get("method", "").startswith("Network.")]
        refused = {p["requestId"] for method, p in events if method == "Network.loadingFailed" and p.get("blockedReason") == "csp"}
        urls = [p["request"]["url"] for method, p in events if method == "Network.requestWillBeSent" and p["requestId"] not in refused]
        return [url for url in urls if url.split("#")[0] not in (self.url, "about:blank")]


def check_values(browser, path, rows):
    page = Page(browser, path)
    read = page.get(READ)
    wanted = {}
    with open(rows, newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            if row[0] == "time":
                names, bytes_at, objects_at = row[1:row.index("objects")], row.index("bytes"), row.index("objects")
                continue
            wanted[tuple(name for name in row[1:1 + len(names)] if name), float(row[0])] = int(row[bytes_at]), int(row[objects_at])
    there = 0
    for names, *columns in read["list"]:
        for at, *values in zip(read["times"], *columns):
            there += values != [0, 0]
            known = wanted.get((tuple(names), at), (0, 0))
            check(known == tuple(values), f"{names} at {at}: {values}, not {known}")
    times = set(read["times"])
    lost = sum(1 for (_, at), values in wanted.items() if at in times and values != (0, 0))
    check(lost == there and there > 1000, f"{there} values, not {lost}")


def draw_city(browser, path, out, scheme, address=""):
    page = Page(browser, path, scheme=scheme, address=address)
    page.get("for (const id of ['over','top','panel','time','legend']) document.getElementById(id).style.visibility = 'hidden';"
             "memcity.app.camera.insets = [0, 0, 0, 0];" + ("memcity.app.setPose(memcity.app.pose)" if "camera=" in address else "memcity.app.goHome()"))
    page.get(LIT)
    time.sleep(0.2)
    picture = browser.call("Page.captureScreenshot")["data"]
    pathlib.Path(out).write_bytes(base64.b64decode(picture))


def use(browser, path, name):
    size = (900, 600)
    page = Page(browser, path, size)
    last = page.get("memcity.data().facts.steps.length - 1")
    check(page.get("memcity.app.step") == last, "not at the last step")
    page.key("ArrowLeft", 37)
    check(page.get("memcity.app.step") == last - 1, "left")
    page.key("PageUp", 33)
    check(page.get("memcity.app.step") == 0, "page up")
    page.key("PageDown", 34)
    # The name of a district at the city's edge lies before it, along it: no letter is over the city, most have it close behind.
    page.get("""globalThis.letters = []; const write = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        const { a, b, e, f } = this.getTransform();
        if (b !== 0) letters.push([text, e, f, b / a]);
        write.call(this, text, ...at);
      }; memcity.app.select(-1, false)""")
    page.rest()
    laid = page.get("""letters.map(([text, x, y, steep]) => [text, x, y, steep, ...[0, -24].map((by) => (memcity.app.hoverAt(x, y + by), memcity.app.hovered >= 0))])""")
    said = "".join(letter[0] for letter in laid)
    check(said.startswith("org.apache") and said.endswith("client"), f"on the ground: {said}")
    check(not any(letter[4] for letter in laid) and sum(letter[5] for letter in laid) > 0.8 * len(laid), f"not before the city: {laid}")
    slopes = [(b[2] - a[2]) / (b[1] - a[1]) for a, b in zip(laid, laid[1:])]
    check(all(abs(slope - a[3]) < 0.05 for slope, a in zip(slopes, laid)), f"letters lie otherwise than the line: {slopes}")
    page.get("memcity.app.hover(-1)")
    # The search has one hit; Enter selects it, and it is in the address.
    page.key("/", 191)
    for letter in name:
        page.key(letter, ord(letter.upper()))
    check(page.get("memcity.app.hits.length") == 1, f"hits of {name}: {page.get('memcity.app.hits.length')}")
    page.key("Enter", 13)
    selected = page.get("memcity.app.selected")
    check(selected > 0 and name in page.get(f"memcity.name({selected})").lower(), "not selected")
    page.key("Escape", 27)
    check(page.get("memcity.app.selected") == -1, "still selected")
    page.get(LIT)
    page.get("globalThis.drawn = 0; const clear = WebGL2RenderingContext.prototype.clear;"
             "WebGL2RenderingContext.prototype.clear = function (bits) { drawn++; clear.call(this, bits); }")
    # What is clicked is what is drawn there: the middle of the largest building's roof.
    at = page.get("""(() => { const { app } = memcity; const [node] = Object.values(app.growers[0]);
      for (let y = 70; y < 480; y += 30) for (let x = 30; x < 580; x += 30) { app.hoverAt(x, y); if (app.hovered === node) return [x, y, node]; }
    })()""")
    page.click(at[0], at[1])
    check(page.get("drawn") == 0, "the city is drawn anew for an outline")
    check(page.get("memcity.app.selected") == at[2], "a click")
    check(page.get("document.querySelector('#selection h3').textContent") == page.get(f"memcity.name({at[2]})"), "the selection's name")
    check("160,000 objects" in page.get("document.querySelector('#selection').textContent"), "who keeps it alive")
    page.key("ArrowUp", 38)
    page.key("Enter", 13)
    check(page.get("memcity.app.root") > 0 and page.get("document.querySelectorAll('#way button').length") > 1, "not in the district")
    page.get("new Promise((done) => setTimeout(done, 300))")
    address = page.get("location.hash")
    again = Page(browser, path, size, address=address)
    check(again.get("[memcity.app.root, memcity.app.selected, memcity.app.step].join()") ==
          again.get(f"[{page.get('memcity.app.root')}, {page.get('memcity.app.selected')}, {last}].join()"), f"the address {address}")
    again.key("w", 87)
    again.get("new Promise((done) => setTimeout(done, 300))")
    check("&camera=" in again.get("location.hash"), "not moved")
    again.get("location.hash = 'step=3', new Promise((done) => setTimeout(done, 600))")
    check(again.get("[memcity.app.root, memcity.app.selected, memcity.app.step, location.hash].join()") == "0,-1,3,#step=3",
          "what an address leaves out stays")
    again = Page(browser, path, size, address=address)
    again.key("Backspace", 8, 8)
    check(again.get("memcity.app.root") == 0, "not left")
    again.key("1", 49)
    check(again.get("memcity.app.selected === memcity.data().facts.findings.causes[0].group"), "the first finding")
    azimuth = again.get("memcity.app.pose.azimuth")
    again.mouse("mousePressed", 300, 400)
    again.mouse("mouseMoved", 420, 400)
    again.mouse("mouseReleased", 420, 400)
    check(abs(again.get("memcity.app.pose.azimuth") - azimuth) > 0.2, "a drag does not turn")
    again.key("b", 66)
    check(again.get("memcity.app.pose.elevation") > 1.57, "not from above")
    check(again.get("memcity.app.hoverAt(300, 280), memcity.app.hovered") >= 0, "nothing is seen from above")
    again.get("memcity.app.goTo(0)")
    again.key(" ", 32)
    again.get("new Promise((done) => setTimeout(done, 900))")
    check(again.get("memcity.app.step") > 0, "does not play")


# Of the canvas that is printed: how much of it is there, and is red.
PRINTED = """(() => { const over = document.querySelector('#over'), { width, height } = over, data = over.getContext('2d').getImageData(0, 0, width, height).data;
  let [there, red] = [0, 0];
  for (let i = 0; i < data.length; i += 4) there += data[i + 3] === 255, red += data[i] - data[i + 2] > 90;
  return [width, height, there / width / height, red / width / height, over.getBoundingClientRect().width / document.documentElement.clientWidth]; })()"""


def prints(browser, path, view):
    page = Page(browser, path, (900, 600), "dark", address=f"#view={view}&select=java.util/LinkedList")
    page.get(LIT)
    before = page.get("document.querySelector('details').open = false, [innerWidth, document.querySelector('#over').width, document.documentElement.dataset.theme].join()")
    # What the browser itself prints: pages, with the picture on the first one.
    paper = base64.b64decode(browser.call("Page.printToPDF")["data"])
    pages = len(re.findall(rb"/Type /Page\b", paper))
    picture = re.search(rb"/Width 1440[^>]*?/Height 860[^>]*?/Length (\d+)", paper, re.S) or re.search(rb"/Length (\d+)[^>]*?/Width 1440", paper, re.S)
    check(0 < pages < 4 and picture and int(picture[1]) > 15000, f"{pages} pages, a picture of {picture and picture[1]} bytes")
    page.get(LIT)
    check(page.get("[innerWidth, document.querySelector('#over').width, document.documentElement.dataset.theme].join()") == before, "not as before printing")
    rows = page.get("[...document.querySelectorAll('.row')].map((e) => e.offsetHeight)")
    check(min(rows) == max(rows) > 0, f"rows of {rows} pixels")
    # The same, looked at: on paper as wide as A4's within its margins.
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.call("Emulation.setDeviceMetricsOverride", width=718, height=1000, deviceScaleFactor=1, mobile=False)
    page.get("dispatchEvent(new Event('beforeprint'))")
    width, height, there, red, shown = page.get(PRINTED)
    check((width, height, shown) == (1440, 860, 1) and there == 1 and red > 0.03, f"the picture: {width}x{height}, {there} of it there, {red} red, {shown} wide")
    text = page.get("document.body.innerText")
    facts = page.get("memcity.data().facts")
    cause = facts["findings"]["causes"][0]
    last = facts["steps"][-1]
    wanted = [facts["title"], "522 groups · 26 steps", f"{facts['steps'][0]['time']} to {last['time']}", f"step {last['step']}", "LinkedList", "160,000 objects",
              cause["sentence"], *sum(cause["facts"], [])]
    check([part for part in wanted if part.replace("\n", " ") not in text.replace("\n", " ")] == [] and len(wanted) > 12, f"of {wanted} there is: {text}")
    seen = page.get("""[...document.querySelectorAll('button:not(.row):not(.cause), input, summary')].filter((e) => e.getClientRects().length).map((e) => e.id + e.className + e.textContent)""")
    check(seen == [], f"controls: {seen}")
    cut = page.get("""[...document.querySelectorAll('h1, #panel, #panel *, #time, #now, #chart, body')].filter((e) => e.getClientRects().length && !e.closest('svg') &&
      (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' || getComputedStyle(e).overflow === 'hidden' && e.tagName !== 'SPAN' && e.scrollHeight > e.clientHeight + 1 ||
       e.getBoundingClientRect().right > 719)).map((e) => e.tagName + e.id + e.className)""")
    check(cut == [], f"cut off: {cut}")
    check(page.get("document.querySelector('#chart svg .line').getBoundingClientRect().width") > 300, "no chart of the steps")
    check(page.get("getComputedStyle(document.body).color.match(/\\d+/g).every((part) => part < 80)"), "not dark on white")
    page.get("dispatchEvent(new Event('afterprint'))")
    check(page.get("document.querySelector('details').open") is False, "evidence stays open")
    page.get("document.querySelector('details').open = true, dispatchEvent(new Event('beforeprint')), dispatchEvent(new Event('afterprint'))")
    check(page.get("document.querySelector('details').open"), "evidence that was open is closed")
    browser.call("Emulation.setEmulatedMedia", media="")


def draw_flat(browser, path, out, view, scheme):
    page = Page(browser, path, scheme=scheme)
    # Where `memcity tree` has its title and its margin; and no names, which are shortened differently.
    page.get("for (const id of ['over','top','panel','time','legend']) document.getElementById(id).style.visibility = 'hidden';"
             "CanvasRenderingContext2D.prototype.fillText = () => {};"
             f"memcity.app.show({VIEWS.index(view)}); memcity.app.camera.insets = [0, 33, 0, 0]; memcity.app.goTo(1)")
    page.rest()
    page.get("memcity.app.goTo(memcity.data().facts.steps.length - 1)")
    page.rest()
    pathlib.Path(out).write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))


def extents(browser, path, tsv, step):
    page = Page(browser, path, address=f"#view=icicle&step={step}")
    read = dict(page.get("""(() => {
      const model = memcity.data(), { spans } = memcity.app.flat;
      const name = (node) => node > 0 ? name(model.parent[node]) + '#' + memcity.name(node) : memcity.name(node);
      return [...model.parent.keys()].map((node) => [name(node), [spans[2 * node], spans[2 * node + 1]]]);
    })()"""))
    with open(tsv, newline="") as file:
        rows = {row["key"]: (float(row["from"]), float(row["to"])) for row in csv.DictReader(file, delimiter="\t")}
    check(rows.keys() == read.keys() and len(rows) > 100, f"{len(read)} groups, not {len(rows)}")
    wrong = {key: (span, read[key]) for key, span in rows.items() if max(abs(a - b) for a, b in zip(span, read.get(key, (9, 9)))) > 1e-9}
    check(not wrong, f"{len(wrong)} groups elsewhere: {list(wrong.items())[:3]}")


GET_PLACE = """((node) => { const { app } = memcity;
  for (let y = 60; y < innerHeight - 100; y += 6) for (let x = 10; x < innerWidth - 10; x += 6) {
    const inside = document.elementFromPoint(x, y)?.id === 'city';
    if (inside && (app.hoverAt(x, y), app.hovered) === node) return [x, y];
  } })"""


def views(browser, path):
    size = (900, 600)
    page = Page(browser, path, size)
    pressed = "[...document.querySelectorAll('#views [aria-pressed=true]')].map((button) => button.textContent).join()"
    seen = ("(() => { const { width, height } = document.querySelector('#flat'), data = document.querySelector('#flat').getContext('2d')"
            ".getImageData(0, 0, width, height).data; let sum = 0; for (let i = 0; i < data.length; i += 4) sum += data[i] - data[i + 2] > 60; return sum / width / height; })()")
    check(page.get(pressed) == "City" and page.get("getComputedStyle(document.querySelector('#flat')).display") == "none", "not the city at first")
    page.key("2", 50, 1, "Digit2")
    check(page.get(pressed) == "Sunburst" and page.get(seen) > 0.2, f"Alt+2: {page.get(pressed)}, {page.get(seen)} of it coloured")
    x, y = page.get("(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector('#views').lastElementChild.getBoundingClientRect())")
    page.click(x, y)
    check(page.get(pressed) == "Icicle" and page.get(seen) > 0.3, f"the button: {page.get(pressed)}, {page.get(seen)} of it coloured")
    for view in (1, 2):
        page.key(str(view + 1), 49 + view, 1, f"Digit{view + 1}")
        grown, = page.get("[Object.values(memcity.app.growers[0])[0]]")
        x, y = page.get(f"{GET_PLACE}({grown})")
        page.mouse("mouseMoved", x, y, "none")
        page.rest()
        check(page.get("memcity.app.hovered") == grown and page.get("document.querySelector('#tip b').textContent") == page.get(f"memcity.name({grown})"), "no tip")
        page.click(x, y)
        check(page.get("memcity.app.selected") == grown, "a click does not select")
        over = "document.querySelector('#over').getContext('2d').getImageData(0, 0, innerWidth, innerHeight).data.reduce((sum, part) => sum + (part > 0), 0)"
        check(page.get(over) > 100, "no outline")
        # Into the district around it; by the way above back to the whole.
        around = page.get(f"memcity.data().parent[{grown}]")
        x, y = page.get(f"{GET_PLACE}({around})")
        for clicks in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1 if kind == "mousePressed" else 0, clickCount=clicks)
        page.rest()
        check(page.get("memcity.app.root") == around, "a double click does not enter")
        page.get("new Promise((done) => setTimeout(done, 300))")
        address = page.get("location.hash")
        check(f"&view={VIEWS[view]}" in address and "&district=" in address, f"the address {address}")
        state = "[memcity.app.as, memcity.app.root, memcity.app.selected, memcity.app.flat.spans.join()].join()"
        check(Page(browser, path, size, address=address).get(state) == page.get(state), f"not as {address} says")
        page = Page(browser, path, size, address=address)
        page.get("document.querySelector('#way button').click()")
        page.rest()
        check(page.get("memcity.app.root") == 0, "the way above does not lead out")
        # Another step: other extents. No way is left to the camera, which the address would keep.
        before = page.get("memcity.app.flat.spans.join()")
        page.key("PageUp", 33)
        check(page.get("memcity.app.flat.spans.join()") != before, "the step before looks the same")
        page.key("w", 87)
        page.key("PageDown", 34)
        page.get("new Promise((done) => setTimeout(done, 300))")
        check("camera=" not in page.get("location.hash"), "a camera of a flat view")
    page.key("1", 49, 1, "Digit1")
    page.get(LIT)
    check(page.get(pressed) == "City" and page.get("getComputedStyle(document.querySelector('#flat')).display") == "none", "no way back to the city")
    check(page.get("memcity.app.hoverAt(300, 280), memcity.app.hovered") >= 0, "nothing stands in the city")
    page.get("location.hash = 'view=icicle', new Promise((done) => setTimeout(done, 100))")
    check(page.get(pressed) == "Icicle", "an address")
    # On the way from step to step, and from root to root, with motion.
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    page.get(f"memcity.app.goTo(0), memcity.app.enter({around})")
    page.rest()
    moved = page.get("memcity.app.flat.spans.join()")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.get("new Promise((done) => setTimeout(done, 300))")
    check(Page(browser, path, size, address=page.get("location.hash")).get("memcity.app.flat.spans.join()") == moved, "motion ends elsewhere")
    # Fingers, on a phone.
    page = Page(browser, path, (390, 844), address="#view=sunburst")
    check(page.get("document.documentElement.scrollWidth") == 390, "wider than a phone")
    x, y = page.get(f"{GET_PLACE}({grown})")
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y, "id": 0}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.rest()
    check(page.get("memcity.app.selected") == grown, "a finger does not select")


def renderer(browser):
    said = browser.call("Runtime.evaluate", returnByValue=True, expression="""(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      return gl && gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL); })()""")["result"].get("value")
    check(said and RENDERER in said, f"drawn with {said}, not {RENDERER}")


def constants(browser):
    wanted = {name: browser.call("Runtime.evaluate", expression=f"WebGL2RenderingContext.{name}", returnByValue=True)["result"].get("value") for name in GL}
    check(wanted == GL and len(GL) > 30, f"others: { {name: wanted[name] for name in GL if wanted[name] != GL[name]} }")


# Names that are shared by variables, properties and texts, shadowed, destructured, defaults and closures.
TRICKY = r"""
const LEAST = 3; // a comment with let and "quotes"
const list = [4, 1, 3], model = { count: 2, wide: "count_", nested: { share: 0.50, step: [1, 2] } };
let total = 0, result = {};
function add(first, second = first + 1, ...rest) {
  const { count, nested: { share: part, step: [one, two = 7, three = 8] }, missing = count } = model;
  total += rest.reduce((sum, by) => sum + by, first - -second);
  return { first, second, count, part, one, two, three, missing, rest, sum: total };
}
async function later(value) { return await value; }
const twice = (value) => { if (value > 9) return value; for (let i = 0; i < 2; i++) value += i; return value; };
function shadow(list) {
  const step = list.map((step, i) => { const total = step * i; return { total, step }; });
  try { null.x; } catch (error) { step.push(error instanceof TypeError); }
  try { null.x; } catch { step.push(!1); }
  while (list.length > 2) list.pop();
  let [a, b] = [1, 2]; [a, b] = [b, a];
  switch (a) { case 2: step.push("two"); default: step.push(3); }
  return [step, a, b, /[/"]let count\//.test('/let count/'), 1 - -1, a + +b];
}
function makePair(first, second) { return { first, second }; }
function getMost(...all) { return all.reduce((a, b) => Math.max(a, b)), all.length; }
function nothing() { return; }
function hello() { let at = 1; return at; }
function inner() { function deep(x) { return x > LEAST ? deep(x - 1) + 1 : 0; } return deep(9); }
result = { ["list"]: add(1), more: add(1, 2, 3, 4), twice: [1, 20].map(twice), shadow: shadow(list.slice()), inner: inner(),
  pair: makePair(1, [2]), most: getMost(3, 4), nothing: nothing() === undefined, hello: hello(), max: Math.max(...list), min: Math.min(1, 2), object: Object.assign({}, { count: 1 }).count, model: typeof later, is: [Number.isNaN(NaN), true, false] };
const getValues = (it) => (it && typeof it === "object" ? Object.values(it).map(getValues) : it);
globalThis.answer = JSON.stringify(getValues(result));
"""


def shortens(browser):
    short = shorten_script(TRICKY)
    said = [browser.call("Runtime.evaluate", returnByValue=True, expression="'use strict';(() => {" + text + "})(), answer") for text in (TRICKY, short)]
    texts = [answer["result"].get("value") for answer in said]
    check(texts[0] and texts[0] == texts[1], f"{texts[0]} became {texts[1] or said[1]}: {short}")
    check(len(short) < 0.66 * len(TRICKY) and "comment" not in short, f"{len(short)} of {len(TRICKY)} bytes")


def opens(browser, path, step, name, distance, theme, view):
    page = Page(browser, path)
    check(page.get("document.querySelector('#views [aria-pressed=true]').textContent") == view, f"not as {view}")
    selected = page.get("memcity.app.selected")
    check(page.get("memcity.data().facts.steps[memcity.app.step].step") == int(step), "another step")
    check(selected > 0 and page.get(f"memcity.name({selected})") == name, "not selected")
    check(not float(distance) or abs(page.get("memcity.app.pose.distance") - float(distance)) < 1e-6, "elsewhere")
    check(page.get("document.documentElement.dataset.theme") == theme, "another theme")
    again = Page(browser, path, address="#step=" + step)
    check(again.get("memcity.app.selected") == -1 and again.get("document.documentElement.dataset.theme") == "light", "not as its address says")


def phone(browser, path):
    page = Page(browser, path, size=(390, 844))
    check(page.get("document.documentElement.scrollWidth") == 390, "wider than a phone")
    wide = page.get("""[...document.querySelectorAll('#top *, #panel *, #time *')].filter((e) => e.getClientRects().length &&
      !e.closest('svg') && e.getBoundingClientRect().right > 391).map((e) => e.tagName + e.id + e.className)""")
    check(wide == [], f"beyond the edge: {wide}")
    pose = page.get("memcity.app.pose.distance")
    for kind, gap in (("touchStart", 40), ("touchMove", 60), ("touchMove", 120), ("touchEnd", 0)):
        points = [{"x": 195 - gap, "y": 350, "id": 0}, {"x": 195 + gap, "y": 350, "id": 1}] if gap else []
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    page.rest()
    check(page.get("memcity.app.pose.distance") < 0.8 * pose, "fingers do not zoom")


def hostile(browser, path):
    page = Page(browser, path)
    for query in ("<", "onerror", "script"):
        page.get(f"document.getElementById('query').value = {query!r}; document.getElementById('query').dispatchEvent(new Event('input'))")
    page.get("for (let i = 0; i < memcity.data().parent.length; i++) { memcity.app.select(i, true); memcity.app.hover(i, 50, 50); }")
    page.rest()
    check(page.get("globalThis.hacked") is None, "a name ran")
    check(page.get("document.querySelectorAll('img, iframe, object, a, body script:not(:last-of-type)').length") == 0, "a name is an element")
    check(page.get("document.querySelector('#hits').textContent.includes('</script><script>')"), "a name is not shown as it is")
    # Whatever got in would not get out, nor run.
    tries = page.get("""(async () => {
      const tried = [];
      document.addEventListener('securitypolicyviolation', (event) => tried.push(event.effectiveDirective));
      await fetch('https://example.invalid/').catch(() => 0);
      const image = new Image(); image.src = 'https://example.invalid/x.png';
      const script = document.createElement('script'); script.textContent = 'globalThis.hacked = 1'; document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<p onclick="globalThis.hacked=2" style="color:red">');
      document.body.lastElementChild.click();
      await new Promise((done) => setTimeout(done, 100));
      return tried;
    })()""")
    check({"connect-src", "img-src", "script-src-elem", "script-src-attr", "style-src-attr"} <= set(tries), f"not refused: {tries}")
    check(page.get("globalThis.hacked") is None, "a script ran")
    check(page.get_requests() == [], f"asked for {page.get_requests()}")


def unknown(browser, path):
    page = Page(browser, path)
    for name, value, growth in (("X", "0.5 load", "±0 "), ("Z", "1.25 load", "– since")):
        page.get(f"memcity.app.select([...memcity.data().buildings].find((node) => memcity.name(node) === '{name}'))")
        said = page.get("[document.querySelector('#selection .value').textContent, document.querySelector('#selection .value + p').textContent]")
        check(said[0] == value and said[1].startswith(growth), f"{name}: {said}")
    page.get("memcity.app.goTo(0)")
    check(page.get("document.querySelector('#selection .value').textContent") == "– load", "a value that is not known")


def texts(browser, program):
    rows = [line.split("\t") for line in subprocess.run([program, "texts"], check=True, capture_output=True, text=True).stdout.splitlines()]
    script = (pathlib.Path(__file__).resolve().parent.parent / "page/format.js").read_text().replace("export ", "")
    metrics = [({"key": key, "title": title, "unit": unit, "real": real == "1", "scale": int(scale)}, int(count))
               for key, title, unit, real, scale, count, *_ in rows]
    answer = browser.call("Runtime.evaluate", returnByValue=True, expression="(() => {" + script + "return " + json.dumps(metrics) +
                          ".map(([metric, count]) => [formatValue(metric, count), formatCounted(metric, count), formatGrowth(metric, -count)]); })()")
    wrong = [(row, said) for row, said in zip(rows, answer["result"]["value"]) if row[6:] != said]
    check(len(rows) > 1000 and not wrong, f"{len(wrong)} of {len(rows)} texts: {wrong[:3]}")


def plain(_, path):
    """Without WebGL there is no city, but all else."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(sys.argv[1], folder, ("--disable-3d-apis", "--disable-gpu"))
        try:
            browser.call("Page.enable")
            page = Page(browser, path)
            check("WebGL 2" in page.get("document.querySelector('#wait:not([hidden])').textContent"), "says nothing")
            page.get("memcity.app.follow(0)")
            check(page.get("document.querySelector('#selection h3').textContent") != "", "no selection")
            page.key("ArrowLeft", 37)
            check(page.get("memcity.app.step") == page.get("memcity.data().facts.steps.length - 2"), "stays at its step")
            page.key("2", 50, 1, "Digit2")
            check(page.get("document.querySelector('#wait').hidden && document.querySelector('#flat').getContext('2d').getImageData(500, 150, 1, 1).data[3]") == 255,
                  "a sunburst takes no WebGL")
        finally:
            browser.kill()


def served(browser, url):
    page = Page(browser, url)
    host = url.split("/")[2]
    port = int(host.split(":")[1])
    tries = page.get("""(async (wrong, port) => {
      const tried = [];
      document.addEventListener('securitypolicyviolation', (event) => tried.push(event.effectiveDirective + ' ' + event.blockedURI));
      const open = async (url) => { try { const one = new WebSocket(url); await new Promise((end) => { one.onopen = one.onerror = end; }); return one.readyState; } catch { return 'refused'; } };
      const ended = [await open(`ws://${location.host}/data${location.search}`), await open(`ws://${location.host}/data?token=${wrong}`),
        await open(`ws://127.0.0.1:${port}/data`), await open('ws://localhost:' + location.port + '/data' + location.search), await open('wss://example.invalid/')];
      const fetched = [];
      for (const url of ['/', location.href, 'http://example.invalid/']) fetched.push(await fetch(url).then(() => 'there', () => 'refused'));
      await new Promise((done) => setTimeout(done, 100));
      return { ended, fetched, tried };
    })(""" + json.dumps("0" * 32) + f", {port - 1})")
    check(tries["ended"][0] == 1 and 1 not in tries["ended"][1:], f"reached {tries}")
    check(tries["fetched"] == ["refused"] * 3, f"reached {tries}")
    check(len(tries["tried"]) == 6 and all(said.startswith("connect-src") for said in tries["tried"]), f"not by the policy: {tries}")
    check(page.get("document.querySelector('#live').textContent") == "", "a trace that does not grow is called live")
    check("nothing from the network" not in page.get("document.documentElement.outerHTML"), "says that it asks for nothing")


class Tunnel:
    """As ssh -L: another port that leads to the server's, until it is cut."""

    def __init__(self, port):
        self.port, self.ends, self.is_open = port, [], True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.here = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            one, _ = self.listener.accept()
            if not self.is_open:
                one.close()
                continue
            other = socket.create_connection(("127.0.0.1", self.port))
            self.ends += [one, other]
            for a, b in ((one, other), (other, one)):
                threading.Thread(target=self.pass_on, args=(a, b), daemon=True).start()

    def pass_on(self, a, b):
        try:
            while part := a.recv(65536):
                b.sendall(part)
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        self.is_open = False
        for one in self.ends:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()
        self.ends = []


def grows(browser, url, name, port, *files):
    there = url.split("/")[2].split(":")[1]
    tunnel = Tunnel(int(there))
    page = Page(browser, url.replace(there, str(tunnel.here), 1))
    push = [sys.executable, pathlib.Path(__file__).resolve().parent / "live/push.py", port]

    def wait(condition, text):
        end = time.monotonic() + 60
        while not page.get(condition):
            if time.monotonic() > end:
                sys.exit(f"never: {text}")
            time.sleep(0.02)
        page.rest()

    def grow(file):
        count = page.get("memcity.data().facts.steps.length")
        subprocess.run([*push, file], check=True, stdout=subprocess.DEVNULL)
        wait(f"memcity.data().facts.steps.length === {count + 1}", f"a step more than {count}")

    state = """(() => { const { app } = memcity, path = (node) => node < 0 ? '' : [...path(memcity.data().parent[node]), memcity.name(node)].join('/');
      return JSON.stringify([path(app.selected), path(app.root), app.pose]); })()"""
    check("Live" in page.get("document.querySelector('#live').textContent"), "does not say that it is live")
    page.key("/", 191)
    for letter in name:
        page.key(letter, ord(letter.upper()))
    page.key("Enter", 13)
    check(page.get("memcity.app.selected") > 0, f"{name} is not selected")
    page.get("memcity.app.enter(memcity.data().parent[memcity.data().parent[memcity.app.selected]]), document.activeElement.blur()")
    page.mouse("mousePressed", 560, 130)
    page.mouse("mouseMoved", 620, 130)
    page.mouse("mouseReleased", 620, 130)
    page.rest()
    check(abs(page.get("memcity.app.pose.azimuth") - 0.48869) > 0.1, "a drag does not turn")
    before = page.get(state)
    nodes = page.get("memcity.data().parent.length")
    page.get("memcity.app.show(2)")
    grow(files[0])
    check(page.get("memcity.app.flat.spans.length === 2 * memcity.data().parent.length && memcity.app.flat.spans[2 * memcity.app.root + 1] > 0"), "an icicle of before")
    page.get("memcity.app.show(0)")
    page.rest()
    check(page.get(state) == before, f"{before} became {page.get(state)}")
    check(page.get("memcity.data().parent.length") != nodes, "no new group came, which the test is about")
    check(page.get("memcity.app.step === memcity.data().facts.steps.length - 1"), "not at the newest step")
    check(page.get("document.querySelector('#hits li') !== null && memcity.app.hits.every((node) => memcity.name(node).toLowerCase().includes('" + name + "'))"),
          "hits of before")
    address = page.get("new Promise((done) => setTimeout(() => done(location.hash), 300))")
    check(f"step={page.get('memcity.data().facts.steps.length') - 1}&" in address, f"the address {address}")
    page.get("memcity.app.goTo(1)")
    page.rest()
    *others, last = files[1:]
    for file in others:
        grow(file)
        check(page.get("memcity.app.step") == 1 and page.get(state) == before, f"{before} became {page.get('memcity.app.step')} {page.get(state)}")
    count = page.get("memcity.data().facts.steps.length")
    check(page.get("document.querySelector('#chart').getAttribute('aria-valuemax')") == str(page.get("memcity.data().facts.steps.length") - 1), "the chart of before")
    # The way there is closed for a while.
    tunnel.cut()
    wait("document.querySelector('#live').textContent.includes('does not answer')", "that nobody answers")
    subprocess.run([*push, last], check=True, stdout=subprocess.DEVNULL)
    tunnel.is_open = True
    wait(f"memcity.data().facts.steps.length === {count + 1}", "the step that came meanwhile")
    wait("document.querySelector('#live').textContent.includes('Live')", "that it is live again")
    check(page.get("memcity.app.step") == 1 and page.get(state) == before, f"{before} became {page.get(state)}")
    check(page.get("document.querySelectorAll('#live').length") == 1, "says it twice")
    # What came as differences is what one has who opens the page now.
    heads = [e["params"]["response"]["payloadData"] for e in browser.events if e.get("method") == "Network.webSocketFrameReceived"]
    check(any('"delta":true' in head for head in heads), "nothing came as a difference")
    read = page.get(READ)
    check(Page(browser, url).get(READ) == read, "other values than a new page has")


CHECKS = {"renderer": renderer, "plain": plain, "served": served, "grows": grows, "texts": texts, "unknown": unknown, "values": check_values, "picture": draw_city, "flat": draw_flat, "extents": extents, "views": views, "constants": constants, "shortens": shortens, "use": use, "prints": prints, "opens": opens, "phone": phone, "hostile": hostile}


def run_all(browser, arguments):
    for method in ("Page.enable", "Network.enable"):
        browser.call(method)
    while arguments:
        end = arguments.index("+") if "+" in arguments else len(arguments)
        begun = time.monotonic()
        CHECKS[arguments[0]](browser, *arguments[1:end])
        print(f"{arguments[0]}: {time.monotonic() - begun:.1f} s")
        check(not [e for e in browser.events if e.get("method") == "Runtime.exceptionThrown"], f"{arguments[0]}: an exception")
        arguments = arguments[end + 1:]
    browser.end()


# Whoever waits no longer leaves neither a browser nor its files.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("it took too long"))
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    chromium = Browser(sys.argv[1], profile, OPTIONS)
    try:
        run_all(chromium, sys.argv[2:])
    finally:
        chromium.kill()
sys.exit(1 if failures else 0)

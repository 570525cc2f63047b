// What the pointer, fingers and keys do.
import { byId, make, on } from "./element.js";
import { dragGround, turn, zoomAbout } from "./camera.js";
import { showHits } from "./panel.js";

const CLICK_PX = 5;
const KEYS = [["Space", "play, pause"], ["← →", "step before, after"], ["Page Up, Page Down", "first, last step"],
  ["drag", "turn and tilt"], ["right drag, Shift+drag", "move over the city"], ["W A S D", "move"], ["wheel, Q E", "closer, farther"],
  ["Ctrl+arrows", "turn and tilt"],
  ["Alt+1, Alt+2, Alt+3", "city, sunburst, icicle"], ["Home", "the whole city"], ["B", "bird's eye, and back"], ["click", "select"], ["F, double click", "fly to the selection"],
  ["↑ ↓", "the district around, the largest part"], ["Enter", "enter a district: a city of it alone"], ["Shift+Backspace", "leave it"],
  ["1 … 9", "a finding"], ["/", "search"], ["Esc", "clear"]];

function getMiddle(points) {
  const list = [...points.values()];
  return [list.reduce((sum, p) => sum + p[0], 0) / list.length, list.reduce((sum, p) => sum + p[1], 0) / list.length];
}

function getSpread(points) {
  const [a, b] = [...points.values()];
  return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
}

function getAngle(points) {
  const [a, b] = [...points.values()];
  return b ? Math.atan2(b[1] - a[1], b[0] - a[0]) : 0;
}

function toPixels(app, x, y) {
  return [x * app.scale, y * app.scale];
}

// One finger or button turns, two fingers move, pinch and twist.
function move(app, points, before, event) {
  const [x, y] = getMiddle(points);
  const [fromX, fromY] = getMiddle(before);
  if (points.size > 1) {
    const ratio = getSpread(before) / Math.max(getSpread(points), 1);
    const twist = getAngle(points) - getAngle(before);
    let pose = dragGround(app.camera, app.pose, ...toPixels(app, fromX, fromY), ...toPixels(app, x, y));
    pose = zoomAbout(app.camera, pose, ratio, ...toPixels(app, x, y));
    app.setPose(turn(app.camera, pose, Math.abs(twist) < 1 ? twist : 0, 0));
  } else if (event.buttons & 6 || event.shiftKey) {
    app.setPose(dragGround(app.camera, app.pose, ...toPixels(app, fromX, fromY), ...toPixels(app, x, y)));
  } else {
    const angle = Math.PI / innerHeight;
    app.setPose(turn(app.camera, app.pose, (fromX - x) * angle, (y - fromY) * angle));
  }
}

export function listenToPointer(app, canvas) {
  const points = new Map();
  let way = 0;
  on(canvas, "pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    points.set(event.pointerId, [event.clientX, event.clientY]);
    if (points.size === 1) way = 0;
    else way = Infinity;
    app.hover(-1);
  });
  on(canvas, "pointermove", (event) => {
    if (!points.has(event.pointerId)) {
      if (event.pointerType !== "touch") app.hoverAt(event.clientX, event.clientY);
      return;
    }
    const before = new Map(points);
    const from = points.get(event.pointerId);
    way += Math.hypot(event.clientX - from[0], event.clientY - from[1]);
    if (way <= CLICK_PX) return;
    points.set(event.pointerId, [event.clientX, event.clientY]);
    move(app, points, before, event);
  });
  const end = (event) => {
    if (!points.delete(event.pointerId)) return;
    if (event.type === "pointerup" && way <= CLICK_PX && event.button === 0) app.clickAt(event.clientX, event.clientY);
  };
  on(canvas, "pointerup", end);
  on(canvas, "pointercancel", end);
  on(canvas, "pointerleave", () => app.hover(-1));
  on(canvas, "contextmenu", (event) => event.preventDefault());
  on(canvas, "dblclick", () => { if (app.selected >= 0) app.frame(app.selected); });
  on(canvas, "wheel", (event) => {
    event.preventDefault();
    const notches = event.deltaY / (event.deltaMode === 0 ? 100 : 3);
    app.setPose(zoomAbout(app.camera, app.pose, Math.exp(Math.min(Math.max(notches, -4), 4) * 0.17), ...toPixels(app, event.clientX, event.clientY)));
  });
}

function moveBy(app, right, ahead) {
  const [x, y] = [innerWidth / 2 * app.scale, innerHeight / 2 * app.scale];
  app.setPose(dragGround(app.camera, app.pose, x, y, x - right * 60 * app.scale, y + ahead * 60 * app.scale));
}

function zoomBy(app, notches) {
  const [left, top, right, bottom] = app.camera.insets;
  const { width, height } = app.camera;
  app.setPose(zoomAbout(app.camera, app.pose, Math.exp(notches * 0.17), (left + width - right) / 2, (top + height - bottom) / 2));
}

function turnBy(app, azimuth, elevation) {
  app.setPose(turn(app.camera, app.pose, azimuth * 0.1, elevation * 0.1));
}

const ACTIONS = {
  " ": (app) => app.togglePlay(),
  ArrowLeft: (app) => app.goBy(-1),
  ArrowRight: (app) => app.goBy(1),
  PageUp: (app) => app.goTo(0),
  PageDown: (app) => app.goTo(app.model.stepCount - 1),
  ArrowUp: (app) => app.selectAround(),
  Backspace: (app) => app.selectAround(),
  ArrowDown: (app) => app.selectPart(),
  "Shift+Backspace": (app) => app.leave(),
  Enter: (app) => app.enter(app.selected),
  Home: (app) => app.goHome(),
  b: (app) => app.toggleBird(),
  f: (app) => app.frame(app.selected),
  w: (app) => moveBy(app, 0, 1),
  s: (app) => moveBy(app, 0, -1),
  a: (app) => moveBy(app, -1, 0),
  d: (app) => moveBy(app, 1, 0),
  q: (app) => zoomBy(app, 1),
  e: (app) => zoomBy(app, -1),
  "Ctrl+ArrowLeft": (app) => turnBy(app, -1, 0),
  "Ctrl+ArrowRight": (app) => turnBy(app, 1, 0),
  "Ctrl+ArrowUp": (app) => turnBy(app, 0, 1),
  "Ctrl+ArrowDown": (app) => turnBy(app, 0, -1),
  "/": () => byId("query").focus(),
  "?": (app) => app.toggleHelp(),
  "Shift+?": (app) => app.toggleHelp(),
  Escape: (app) => app.clear(),
};

function onKey(app, event) {
  const typing = event.target.id === "query";
  if (typing && event.key !== "Escape") return;
  const view = event.altKey && /^Digit([123])$/.exec(event.code);
  if (view) {
    app.show(view[1] - 1);
    return event.preventDefault();
  }
  if (event.altKey || event.metaKey) return;
  const inControl = event.target.closest("button,summary,a");
  if (inControl && (event.key === "Enter" || event.key === " ")) return;
  const name = (event.ctrlKey ? "Ctrl+" : "") + (event.shiftKey ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const digit = Number(event.key);
  if (!event.ctrlKey && digit >= 1 && digit <= 9) app.follow(digit - 1);
  else if (ACTIONS[name]) ACTIONS[name](app);
  else return;
  event.preventDefault();
}

export function listenToKeys(app) {
  on(document, "keydown", (event) => onKey(app, event));
  const query = byId("query");
  on(query, "input", () => showHits(app, query.value));
  on(query, "keydown", (event) => {
    if (event.key !== "Enter" || app.hits.length === 0) return;
    app.hitIndex = event.shiftKey ? app.hitIndex - 1 : app.hitIndex + 1;
    const count = app.hits.length;
    app.select(app.hits[(app.hitIndex % count + count) % count], true);
  });
  on(query, "input", () => { app.hitIndex = -1; });
  const list = byId("help").querySelector("dl");
  for (const [key, text] of KEYS) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, text));
}

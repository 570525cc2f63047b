// The page: what is shown, and what changes it. `memcity` in the console has it all.
import { readAddress, writeAddress } from "./address.js";
import { BIRD_ANGLES, HOME_ANGLES, blendPose, fit, getMatrix, getRay, getView } from "./camera.js";
import { getBounds, getLargestBox, makeCity, pick } from "./city.js";
import { readPage } from "./data.js";
import { draw, isComplete, isDrawn, isWhole, makeDrawing, setCity, setGlass, setSteps } from "./draw.js";
import { byId, make, on } from "./element.js";
import { drawFlat, drawMarks, isZooming, pickFlat, setFlatSteps, zoomFrom } from "./flat.js";
import { formatGrowth } from "./format.js";
import { findGlass } from "./glass.js";
import { listenToKeys, listenToPointer } from "./input.js";
import { drawOver, findDistricts } from "./labels.js";
import { eachPart, findPath, getGrowers, getHolders, getName, getOther, getSeries, getValue, isDistrict, isInside, makeModel } from "./model.js";
import { showAbout, showFindings, showGrowers, showHits, showSelection, showTip, showWay } from "./panel.js";
import { listenToTime, showPlaying, showTime } from "./timebar.js";

const MOVE_MS = 350;
const STEP_MS = 600;
const WANTED_MS = 45; // of a picture while something moves
const PART_MS = 90; // of a part of a picture at rest
const LEAST_DRAWN = 2500;
const MOST_GLASS = 20000; // buildings that may be glass while something moves
const BLUNTEST = 0.6; // of a picture's sides
const NARROW_PX = 760;
const PAPER = [720, 430]; // of a picture that is printed

export const app = { as: 0, step: 0, from: 0, moment: 1, root: 0, selected: -1, hovered: -1, playing: false, isHome: true, theme: "",
  palette: "heat", hits: [], hitIndex: -1, scale: 1, sharpness: 1, most: 15000, part: 30000, rows: 32, isDirty: true, isOverDirty: true };

// ---- the picture

function isDark() {
  return !app.isPrinted && (app.theme ? app.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
}

export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function getTheme() {
  return app.model.facts.themes[isDark() ? "dark" : "light"];
}

function redraw() {
  app.isDirty = true;
  redrawNames();
}

function redrawNames() {
  app.isOverDirty = true;
  if (app.frameAsked || !app.drawing && !app.as) return;
  app.frameAsked = true;
  requestAnimationFrame(onFrame);
}

// What panels cover of the picture, in its pixels.
function getInsets() {
  if (app.isPrinted) return [0, 0, 0, 0];
  const [tools, panel, time, where] = ["tools", "panel", "time", "where"].map((id) => byId(id).getBoundingClientRect());
  const isNarrow = innerWidth <= NARROW_PX;
  const legend = byId("legend");
  const bottom = innerHeight - (isNarrow ? Math.min(panel.top, time.top) : time.top - (app.as === 2 && legend.offsetHeight));
  return [0, Math.max(tools.bottom, where.bottom), isNarrow ? 0 : innerWidth - panel.left, bottom].map((size) => size * app.scale);
}

function resize() {
  app.scale = app.isPrinted ? 2 : Math.min(devicePixelRatio || 1, 2);
  const [width, height] = (app.isPrinted ? PAPER : [innerWidth, innerHeight]).map((size) => Math.max(Math.round(size * app.scale), 1));
  for (const canvas of [app.canvas, app.flatCanvas, app.over]) Object.assign(canvas, { width, height });
  app.camera = { world: app.city ? getBounds(app.city) : [0, 0, 0, 1, 1, 1], width, height, insets: getInsets() };
  if (app.isHome && app.city) app.pose = getHome();
  redraw();
}

function getHome() {
  return fit(app.camera, { target: [0, 0, 0], distance: 1000, ...(app.isBird ? BIRD_ANGLES : HOME_ANGLES) }, getAllBoxes(app.root));
}

// The floor of a district, and its buildings.
function getAllBoxes(root) {
  const { model, city } = app;
  const floor = getLargestBox(city, root);
  const seeAll = (see, node) => {
    const box = getLargestBox(city, node);
    if (!isDistrict(model, node)) see(box);
    else if (see(box, true)) eachPart(model, node, (part) => seeAll(see, part));
  };
  return (see) => {
    see([floor[0], floor[1], floor[2], floor[3], floor[1], floor[5]]);
    seeAll(see, root);
  };
}

// As many buildings at a time as there is time for: in a moving picture, which is less sharp if even few take too long, and in
// a part of one at rest.
function learnMost() {
  const { lastMs, lastCount, count, lastAnew, isFine } = app.drawing;
  if (app.drawing.lastLight) {
    app.rows = 2 * Math.max(Math.round(app.rows * Math.min(PART_MS / lastMs, 2) / 2), 1);
    return;
  }
  const [name, wanted] = lastAnew ? ["most", WANTED_MS] : ["part", PART_MS];
  const isMoving = lastAnew && !isFine;
  if (isMoving && lastMs < wanted / 1.5) app.sharpness = 1;
  else if (isMoving && lastMs > 1.5 * wanted && lastCount <= LEAST_DRAWN) app.sharpness = Math.max(app.sharpness * 0.8, BLUNTEST);
  if (lastMs > 1.5 * wanted && lastCount > LEAST_DRAWN) app[name] = Math.max(lastCount * Math.max(wanted / lastMs, 0.3), LEAST_DRAWN);
  else if (lastMs < wanted / 2 && lastCount >= app[name]) app[name] = Math.min(app[name] * 1.6, Math.max(count, LEAST_DRAWN));
}

function advance(now) {
  let goesOn = false;
  if (app.flight) {
    const t = isStill() ? 1 : Math.min((now - app.flight.begun) / MOVE_MS, 1);
    app.pose = t < 1 ? blendPose(app.flight.from, app.flight.to, t) : app.flight.to;
    if (t >= 1) app.flight = null;
    goesOn = t < 1;
    app.isDirty = true;
  }
  if (app.moment < 1) {
    const t = isStill() ? 1 : Math.min((now - app.stepBegun) / Math.min(STEP_MS, 0.7 * getStepMs()), 1);
    app.moment = t;
    goesOn = goesOn || t < 1;
    app.isDirty = true;
  }
  if (app.as && app.flat.zoom) goesOn = app.isDirty = true;
  if (app.playing) {
    goesOn = true;
    if (now - app.stepBegun >= getStepMs() && (app.as || isDrawn(app.drawing))) playOn();
  }
  return goesOn;
}

function getStepMs() {
  return Math.max(9000 / app.model.stepCount, 250);
}

// Whether a building stands before a district's edge.
function isHidden(node, x, y) {
  const { city, view, from, step, moment } = app;
  const seen = pick(city, view.eye, getRay(view, x, y), from, step, moment);
  return seen >= 0 && !isDistrict(app.model, seen) && !isInside(app.model, seen, node);
}

// They are known of the last step alone.
function getShownHolders() {
  const { model, selected, step } = app;
  const count = model.facts.metric.key === "objects" ? getValue : model.readOther && getOther;
  if (step !== model.stepCount - 1 || isDistrict(model, selected) || !count) return [];
  const all = count(model, step, selected);
  return getHolders(model, selected).map(({ node, count }) => ({ node, share: all > 0 ? Math.min(count / all, 1) : 0 }));
}

function drawNames(view) {
  const { model, city, from, step, moment, selected, hovered, scale } = app;
  const state = { model, city, view, from, to: step, moment, selected, hovered, scale, dark: isDark(), theme: getTheme(), marked: [], covered: [],
    font: getComputedStyle(document.body).fontFamily, isHidden };
  for (const id of app.isPrinted ? [] : ["top", "panel", "time"]) {
    const box = byId(id).getBoundingClientRect();
    if (id === "panel" && innerWidth > NARROW_PX) continue;
    state.covered.push([box.left, box.top, box.right, box.bottom].map((at) => at * scale));
  }
  const inside = (node) => node >= 0 && isInside(model, node, app.root);
  state.marked = app.marked.filter(inside);
  const growers = app.growers.map(({ node }) => node).filter(inside);
  state.holders = inside(selected) ? getShownHolders().filter((holder) => inside(holder.node)) : [];
  state.named = [...new Set([selected, ...state.holders.map((holder) => holder.node), ...state.marked, ...growers, ...findDistricts(state, 24)])].filter(inside);
  if (!inside(selected)) state.selected = -1;
  drawOver(app.over.getContext("2d"), state);
  app.isOverDirty = false;
}

// While something moves, what there is time for; then all, smoothly, part by part.
function drawNow() {
  const { drawing, most, isDirty, isPrinted } = app;
  const isQuick = isPrinted || most >= drawing.count && drawing.lastMs < WANTED_MS;
  const isFine = isQuick || !isDirty;
  app.view = getView(app.camera, app.pose);
  const scene = { matrix: getMatrix(app.camera, app.view), eye: app.view.eye, theme: getTheme(), palette: app.palette, moment: app.moment, sharpness: app.sharpness };
  // What is small hides little while something moves.
  const glassMost = isDirty && !isPrinted ? Math.min(most, MOST_GLASS) : drawing.count;
  const isAnew = isDirty || drawing.isFine !== isFine || glassMost > app.glassMost;
  if (isAnew) setGlass(drawing, findGlass(app, glassMost), isFine ? drawing.count : most);
  app.glassMost = glassMost;
  draw(drawing, scene, isAnew, isPrinted ? 1e9 : isAnew ? most : isComplete(drawing) ? app.rows : app.part, isFine);
  app.isOverDirty ||= isDirty;
  app.isDirty = false;
}

function drawFlatNow() {
  if (app.isDirty) drawFlat(app, getTheme(), app.palette, getComputedStyle(document.body).fontFamily);
  if (app.isDirty || app.isOverDirty) drawMarks(app, getTheme());
  app.isDirty = app.isOverDirty = false;
}

function drawCity() {
  const isFree = !app.drawing.fence;
  if (isDrawn(app.drawing)) {
    if (!isFree) learnMost();
    if (app.isDirty || !isWhole(app.drawing)) drawNow();
  }
  if (app.isOverDirty && !app.isDirty) drawNames(app.view);
}

function onFrame(now) {
  app.frameAsked = false;
  if (app.isPrinted) return;
  const goesOn = advance(now);
  if (app.as) drawFlatNow();
  else drawCity();
  if (!goesOn && isLit()) return;
  app.frameAsked = true;
  requestAnimationFrame(onFrame);
}

// A report: in light colours, with all evidence, and a picture that is whole at once.
function print(isPrinted) {
  Object.assign(app, { isPrinted, moment: 1, hovered: -1 });
  document.querySelectorAll("details").forEach((details) => {
    if (isPrinted) details.was = details.open;
    details.open = isPrinted || details.was;
  });
  showColors();
  resize();
  if (!isPrinted || !app.drawing && !app.as) return;
  if (app.as) drawFlatNow();
  else {
    drawNow();
    drawNow(); // its light
    drawNames(app.view);
    app.drawing.fence = null; // nothing is learnt of how long it took
  }
  const over = app.over.getContext("2d");
  over.globalCompositeOperation = "destination-over";
  over.drawImage(app.as ? app.flatCanvas : app.canvas, 0, 0);
  over.globalCompositeOperation = "source-over";
}

// The light of a picture at rest comes last.
function isResting() {
  if (app.as) return !app.isDirty && !app.isOverDirty && app.moment >= 1 && !app.flat.zoom;
  return !app.drawing || !app.isDirty && !app.isOverDirty && isComplete(app.drawing) && (app.drawing.lit > 0 || !app.drawing.fence) && !app.flight && app.moment >= 1;
}

function isLit() {
  return isResting() && (app.as > 0 || !app.drawing || isWhole(app.drawing) && !app.drawing.fence);
}

// ---- what changes it

let addressTimer = 0;
function remember() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", writeAddress(app)), 200);
}

export function showSteps() {
  if (app.as) setFlatSteps(app);
  else if (app.drawing) setSteps(app.drawing, app.from, app.step);
  app.growers = getGrowers(app.model, app.step, app.root, 10);
  showTime(app);
  showSelection(app);
  showGrowers(app);
  redraw();
  remember();
}

app.goTo = (step) => {
  if (step === app.step || step < 0 || step >= app.model.stepCount) return;
  Object.assign(app, { from: app.step, step, moment: isStill() ? 1 : 0, stepBegun: performance.now() });
  showSteps();
};

app.goBy = (by) => {
  app.stop();
  app.goTo(Math.min(Math.max(app.step + by, 0), app.model.stepCount - 1));
};

function playOn() {
  if (app.step + 1 < app.model.stepCount) app.goTo(app.step + 1);
  else app.stop();
}

app.stop = () => {
  app.playing = false;
  showPlaying(app);
};

app.togglePlay = () => {
  if (app.playing || app.model.stepCount < 2) return app.stop();
  app.playing = true;
  showPlaying(app);
  app.stepBegun = performance.now();
  if (app.step === app.model.stepCount - 1) app.goTo(0);
  redraw();
};

app.setPose = (pose) => {
  if (app.as) return;
  Object.assign(app, { pose, flight: null, isHome: false, isBird: false });
  redraw();
  remember();
};

function flyTo(pose) {
  app.flight = { from: app.pose, to: pose, begun: performance.now() };
  redraw();
  remember();
}

app.goHome = () => {
  if (app.as) return app.enter(0);
  Object.assign(app, { isHome: true, isBird: false });
  flyTo(getHome());
};

app.toggleBird = () => {
  if (app.as) return;
  Object.assign(app, { isHome: true, isBird: !app.isBird });
  flyTo(getHome());
};

// A lone building that fills the picture would tell nothing about where it stands.
function getRoomyBox(node) {
  const box = getLargestBox(app.city, node);
  const side = Math.max(box[3] - box[0], box[5] - box[2], (app.city.x1 - app.city.x0) / 30);
  return [box[0] - side, box[1], box[2] - side, box[3] + side, box[4], box[5] + side];
}

function flyOver(boxes) {
  app.isHome = false;
  flyTo(fit(app.camera, { ...app.pose, elevation: Math.max(app.pose.elevation, 0.6) }, boxes));
}

app.frame = (node) => {
  if (node < 0) return;
  if (app.as) return node === app.root ? app.leave() : app.enter(isDistrict(app.model, node) ? node : app.model.parent[node]);
  if (!isInside(app.model, node, app.root)) app.enter(0);
  if (node === app.root) app.goHome();
  else flyOver(isDistrict(app.model, node) ? getAllBoxes(node) : (see) => see(getRoomyBox(node)));
};

app.select = (node, goThere) => {
  // What stands before it becomes glass, unless it grew the most.
  if (![app.selected, node].every((at) => at < 0 || app.drawing?.leading.includes(at))) app.isDirty = true;
  app.selected = node;
  if (node >= 0 && !isInside(app.model, node, app.root)) app.enter(0);
  showSelection(app);
  showFindings(app);
  showGrowers(app);
  if (goThere) unfold();
  updateInsets();
  if (goThere && app.isHome && !app.as) flyTo(getHome());
  redrawNames();
  remember();
};

// A finding: what it is about, selected and framed.
app.follow = (index) => {
  const cause = app.model.facts.findings && app.model.facts.findings.causes[index];
  if (!cause || cause.group === null) return;
  app.marked = cause.explains.filter((node) => node !== null && !isDistrict(app.model, node));
  app.select(cause.group, true);
  if (app.as) return;
  const group = [cause.group, ...app.marked].filter((node) => isInside(app.model, node, app.root));
  flyOver((see) => group.forEach((node) => see(getRoomyBox(node))));
};

app.selectAround = () => {
  if (app.selected > 0) app.select(app.model.parent[app.selected], false);
};

app.selectPart = () => {
  const { model, step } = app;
  const node = Math.max(app.selected, app.root);
  let best = -1;
  eachPart(model, node, (part) => {
    if (best < 0 || getValue(model, step, part) > getValue(model, step, best)) best = part;
  });
  if (best >= 0) app.select(best, false);
};

export function setRoot(node) {
  app.root = node;
  app.city = makeCity(app.model, node);
  if (app.drawing && !app.as) setCity(app.drawing, app.city);
  app.camera.world = getBounds(app.city);
}

app.enter = (node) => {
  if (node < 0 || !isDistrict(app.model, node) || node === app.root) return;
  const before = app.root;
  setRoot(node);
  Object.assign(app, { isHome: true, isBird: false, flight: null });
  showWay(app);
  updateInsets();
  if (!app.as) app.pose = getHome();
  else if (app.flat.spans && !isStill()) zoomFrom(app, before);
  showSteps();
};

app.leave = () => {
  if (app.root > 0) app.enter(app.model.parent[app.root]);
};

app.clear = () => {
  byId("query").value = "";
  byId("query").blur();
  showHits(app, "");
  if (!byId("help").hidden) return app.toggleHelp();
  app.marked = [];
  app.select(-1, false);
};

// The city, a sunburst or an icicle.
app.show = (as) => {
  if (as === app.as) return;
  Object.assign(app, { as, moment: 1, from: app.step, hovered: -1, pose: app.flight ? app.flight.to : app.pose, flight: null, flat: {} });
  byId("bird").hidden = as > 0;
  app.flatCanvas.hidden = !as;
  if (!as) {
    setRoot(app.root);
    if (app.isHome) app.pose = getHome();
  }
  showView();
  showSteps();
  showColors();
  updateInsets();
  showMissing();
};

function showView() {
  [...byId("views").children].forEach((button, i) => button.setAttribute("aria-pressed", i === app.as));
}

function pickAt(x, y) {
  if (app.as) return pickFlat(app, x * app.scale, y * app.scale);
  if (!app.view) return -1;
  const ray = getRay(app.view, x * app.scale, y * app.scale);
  return pick(app.city, app.view.eye, ray, app.from, app.step, app.moment);
}

app.hover = (node, x, y) => {
  if (node !== app.hovered) redrawNames();
  app.hovered = node;
  showTip(app, x, y);
};

app.hoverAt = (x, y) => app.hover(pickAt(x, y), x, y);

app.clickAt = (x, y) => {
  byId("city").focus({ preventScroll: true });
  app.select(pickAt(x, y), false);
};

// ---- looks

export function showColors() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  const css = (color) => "rgb(" + color.map((part) => Math.round(part * 255)).join(",") + ")";
  const { city, metric, versus, kept } = app.model.facts;
  const theme = getTheme();
  const mark = (name) => {
    const element = make("span", {}, "■ " + name);
    element.style.color = css(theme[name]);
    return element;
  };
  const grows = [app.as ? theme.plain[app.palette] : theme[app.palette][0], ...theme[app.palette].slice(1)];
  const colors = versus ? [theme.shrinking[1], theme.shrinking[0], ...grows] : grows;
  byId("legend").querySelector("i").style.background = "linear-gradient(90deg," + colors.map(css).join(",") + ")";
  byId("legend").hidden = !versus && !(city.largest_growth > 0);
  byId("least").textContent = versus ? "shrank" : "no growth";
  byId("most").replaceChildren(...versus ? ["grew ", mark("new"), " ", mark("gone")] : [kept || (app.as ? "most of its level" : formatGrowth(metric, city.largest_growth))]);
  redraw();
}

function setLooks(looks) {
  Object.assign(app, looks);
  showColors();
  remember();
}

app.toggleHelp = () => {
  byId("help").hidden = !byId("help").hidden;
  if (!byId("help").hidden) byId("close").focus();
};

function updateInsets() {
  const insets = getInsets();
  if (insets.join() !== app.camera.insets.join()) redraw();
  app.camera.insets = insets;
}

function fold(isFolded) {
  byId("panel").classList.toggle("folded", isFolded);
  byId("fold").setAttribute("aria-expanded", !isFolded);
  byId("panel").scrollTop = 0;
  updateInsets();
}

function unfold() {
  fold(false);
}

function listen() {
  listenToPointer(app, app.canvas);
  listenToKeys(app);
  listenToTime(app);
  const click = (id, what) => on(byId(id), "click", what);
  click("bird", () => app.toggleBird());
  click("theme", () => setLooks({ theme: isDark() ? "light" : "dark" }));
  click("palette", () => setLooks({ palette: app.palette === "heat" ? "safe" : "heat" }));
  click("keys", () => app.toggleHelp());
  click("close", () => app.toggleHelp());
  click("fold", () => {
    fold(!byId("panel").classList.contains("folded"));
    if (app.isHome && !app.as) flyTo(getHome());
  });
  [...byId("views").children].forEach((button, i) => on(button, "click", () => app.show(i)));
  on(globalThis, "resize", () => app.isPrinted || resize());
  on(globalThis, "beforeprint", () => print(true));
  on(globalThis, "afterprint", () => print(false));
  on(globalThis, "hashchange", goToAddress);
  on(matchMedia("(prefers-color-scheme: dark)"), "change", showColors);
  on(app.canvas, "webglcontextlost", (event) => event.preventDefault());
  on(app.canvas, "webglcontextrestored", () => location.reload());
}

// All of what is shown: by the address, or, without one, as the page was made to open.
function goToAddress() {
  const { step, select, district, as, camera, theme, palette } = location.hash.length > 1 ? readAddress(app.model, location.hash) : readView(app.model);
  Object.assign(app, { theme: theme === "light" || theme === "dark" ? theme : "", palette: palette === "safe" ? "safe" : "heat", isBird: false });
  app.select(select, false);
  app.show(as);
  app.enter(isDistrict(app.model, district) ? district : 0);
  app.goTo(step);
  if (!as) app.setPose(camera || getHome());
  app.isHome = !camera;
  showColors();
}

function readView({ facts, stepCount }) {
  const { step, select, as, camera, theme, palette } = facts.view || {};
  const at = facts.steps.findIndex((info) => info.step === step);
  return { step: at >= 0 ? at : stepCount - 1, select: select ?? -1, district: 0, as: as || 0, theme, palette,
    camera: camera && { azimuth: camera[0], elevation: camera[1], distance: camera[2], target: camera.slice(3) } };
}

function begin(model) {
  const { facts } = model;
  app.model = model;
  byId("title").textContent = facts.title;
  app.step = app.from = model.stepCount - 1;
  app.marked = [];
  app.growers = [];
  setRoot(0);
  showAbout(app);
  showFindings(app);
  showPlaying(app);
  showView();
  fold(innerWidth <= NARROW_PX);
  resize();
  listen();
  goToAddress();
  Object.assign(app, { moment: 1, from: app.step });
  showSteps();
  showColors();
  showMissing();
}

function showMissing() {
  byId("wait").hidden = app.drawing !== null || app.as > 0;
  byId("wait").textContent = "This browser has no WebGL 2, which draws the city; all else is here.";
}

function fail(error) {
  byId("wait").hidden = false;
  byId("wait").textContent = String(error?.message || error);
  throw error;
}

// `read` gives the page's bytes, and says meanwhile how much of them is there. What is read back in a console or a test.
export function openPage(read) {
  globalThis.memcity = {
    ["app"]: app,
    data: () => app.model,
    isResting,
    isLit,
    read: (step, names) => getValue(app.model, step, findPath(app.model, names)),
    name: (node) => getName(app.model, node),
    readAll: (node, isOther) => getSeries(app.model, node, isOther),
    ready: (async () => {
      app.canvas = byId("city");
      app.over = byId("over");
      app.flatCanvas = byId("flat");
      app.camera = { world: [0, 0, 0, 1, 1, 1], width: 1, height: 1, insets: [0, 0, 0, 0] };
      const bytes = await read((share) => { byId("wait").textContent = "Opening … " + Math.round(share * 100) + " %"; });
      app.drawing = makeDrawing(app.canvas); // whose shaders are compiled meanwhile, and for which a browser takes a while when it just began
      begin(makeModel(readPage(bytes)));
    })().catch(fail),
  };
}

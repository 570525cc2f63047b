// A sunburst or an icicle of the same tree, on a canvas of its own, without WebGL. Order, extents and colours are those of the
// program: engine/tree/tree.c, engine/layout/partition.c, engine/scene/flat_color.c and flat_pane.c.
import { ease, mix } from "./city.js";
import { fitText, toStyle } from "./labels.js";
import { getAncestors, getName, getSides, getStep, isInside, orderSiblings, sumUp } from "./model.js";

const TURN = 2 * Math.PI;
const CUT = 0.65; // of an icicle's first row, where rows are wide
const NARROW_ROW = 64;
const MARGIN = 12;
const NAME_SIZE = 12;
const LEAST_ROOM = 24; // for a name
const TINT = 0.15; // of growth where owners are known
const ZOOM_MS = 600;
const SHADES = 127; // of growth, and of shrinkage; then new, gone

function clamp(share) {
  return Math.min(Math.max(share, 0), 1);
}

// ---- what is shown

// Growth as a share of the largest on the same level; of two traces less than 0 where it shrank, 2: new, 3: gone.
function getShares(model, step) {
  const { count, parent, level, row, state, facts } = model;
  const sides = (at) => getSides(model, at).map((rows) => sumUp(model, rows));
  const [from, to] = sides(step);
  const [first, last] = sides(model.before ? step : model.stepCount - 1);
  if (facts.owners) {
    const shares = to.map((value, node) => TINT * clamp((value - from[node]) / Math.max(facts.city.largest_growth, 1)));
    for (const [key, share] of Object.entries(facts.owners)) {
      const node = Number(key), way = last[node] - first[node];
      for (const at of getAncestors(model, node)) shares[at] = Math.max(shares[at], share * (way > 0 ? clamp((to[node] - from[node]) / way) : 1));
    }
    return shares;
  }
  const most = [], states = new Int8Array(count).fill(-1);
  for (let node = count - 1; node >= 0; node--) {
    const by = last[node] - first[node], around = parent[node];
    most[level[node]] = Math.max(most[level[node]] || 0, model.before ? Math.abs(by) : by);
    if (!state) continue;
    if (states[node] < 0) states[node] = state[row[node]];
    if (around >= 0) states[around] = states[around] < 0 || states[around] === states[node] ? states[node] : 0;
  }
  return to.map((value, node) => (state && states[node] > 0 ? states[node] + 1
    : most[level[node]] > 0 ? Math.min(Math.max((value - from[node]) / most[level[node]], state ? -1 : 0), 1) : 0));
}

export function setFlatSteps(app) {
  const { model, from, step } = app;
  const last = model.stepCount - 1;
  if (!model.ranked) {
    const [first, end] = [0, last].map((at) => sumUp(model, getStep(model.counts, at)));
    const growth = end.map((value, node) => value - first[node]);
    const least = growth.reduce((a, b) => Math.min(a, b));
    model.ranked = orderSiblings(model, growth.map((by) => by - least));
  }
  const [before, now] = [from, step].map((at) => sumUp(model, getStep(model.counts, at)));
  app.flat = { ...app.flat, before, now, shares: getShares(model, step) };
}

// From where to where each node goes, of the whole.
function layOut({ count, childCount, firstChild, ranked }, values) {
  const spans = new Float64Array(2 * count);
  spans[1] = 1;
  for (let node = 0; node < count; node++) {
    let [at, sum, first] = [spans[2 * node], 0, firstChild[node]];
    for (let k = 0; k < childCount[node]; k++) sum += values[first + k];
    const whole = Math.max(sum, values[node]);
    const scale = whole > 0 ? (spans[2 * node + 1] - at) / whole : 0;
    for (let k = 0; k < childCount[node]; k++) {
      const child = ranked[first + k];
      spans[2 * child] = at;
      spans[2 * child + 1] = at += values[child] * scale;
    }
  }
  return spans;
}

// What of the whole a district is: levels and extent.
function getSight({ model, flat }, root) {
  if (flat.deepest?.root !== root) {
    let most = 0;
    for (let node = root; node < model.count; node++) if (model.level[node] > most && isInside(model, node, root)) most = model.level[node];
    flat.deepest = { root, most };
  }
  return [flat.spans[2 * root], flat.spans[2 * root + 1], model.level[root], flat.deepest.most - model.level[root] + 1];
}

export function zoomFrom(app, root) {
  app.flat.zoom = { sight: getSight(app, root), begun: performance.now() };
}

// Rows and shares to pixels, and back.
function makePlane(app) {
  const { flat, camera, scale } = app;
  const { width, height, insets } = camera;
  const [x0, y0, x1, y1] = [insets[0] + MARGIN * scale, insets[1] + MARGIN * scale, width - insets[2] - MARGIN * scale, height - insets[3] - MARGIN * scale];
  const [from, to, level, rows] = flat.sight;
  const plane = { isRound: app.as === 1, level, rows, from, width: to - from, x0, y0, x1, y1, x: x0, y: y0, size: (x1 - x0) / rows, length: y1 - y0 };
  if (plane.isRound) return { ...plane, x: (x0 + x1) / 2, y: (y0 + y1) / 2, size: Math.min(x1 - x0, y1 - y0) / 2 / rows };
  const cut = CUT * clamp(plane.size / NARROW_ROW / scale - 1) * clamp(rows - 1);
  plane.size *= rows / (rows - cut);
  plane.x -= cut * plane.size;
  return plane;
}

function trace(context, { isRound, x, y, size, length }, row, from, to) {
  context.beginPath();
  if (!isRound) return context.rect(x + row * size, y + from * length, size, (to - from) * length);
  const [inner, begin, end] = [Math.max(row, 0) * size, from * TURN - TURN / 4, to * TURN - TURN / 4];
  context.arc(x, y, (row + 1) * size, begin, end);
  if (to - from > 0.9999) context.moveTo(x + inner * Math.cos(end), y + inner * Math.sin(end));
  context.arc(x, y, inner, end, begin, true);
  context.closePath();
}

// ---- drawing

// By shares: -1 to 1, new, gone.
function makeShades(theme, palette) {
  const shades = [];
  for (let i = -SHADES; i <= SHADES; i++) {
    const at = 2 * Math.abs(i) / SHADES;
    const colors = [theme.plain[palette], ...i < 0 ? theme.shrinking : theme[palette].slice(1)];
    const low = at > 1 ? 1 : 0;
    shades.push(colors[low].map((part, k) => mix(part, colors[low + 1][k], at - low)));
  }
  return [...shades, theme.new, theme.gone].map((color) => ({ style: toStyle(color, 1), linear: color.map((part) => part ** 2.2) }));
}

// Groups thinner than a pixel are blended, each by its share of it.
export function drawFlat(app, theme, palette, font) {
  const { model, flat, moment, scale } = app;
  const { level, childCount, firstChild, ranked } = model;
  const context = app.flatCanvas.getContext("2d", { willReadFrequently: true });
  const t = ease(moment);
  const spans = flat.spans = layOut(model, t < 1 ? flat.now.map((value, node) => mix(flat.before[node], value, t)) : flat.now);
  const own = getSight(app, app.root), zoom = flat.zoom;
  flat.sight = zoom ? own.map((to, i) => mix(zoom.sight[i], to, ease((performance.now() - zoom.begun) / ZOOM_MS))) : own;
  const plane = flat.plane = makePlane(app);
  const shades = makeShades(theme, palette);
  const runs = [], named = [];
  const paint = (row, from, to, style, strength) => {
    trace(context, plane, row, from, to);
    context.fillStyle = style;
    context.fill();
    if (!(strength > 0)) return;
    context.globalAlpha = strength;
    context.stroke();
    context.globalAlpha = 1;
  };
  const end = (run, row, length) => {
    if (run.cover > 0)
      paint(row, run.from, Math.min(run.to + 0.5 / length, 1), toStyle(run.sum.map((part) => (part / run.cover) ** (1 / 2.2)), Math.min(run.cover / (run.to - run.from), 1)), 0);
    run.cover = 0;
  };
  const put = (node, row, from, to) => {
    const length = plane.isRound ? TURN * plane.size * (row + 0.5) : plane.length;
    const run = runs[level[node]] ||= { cover: 0, row, length };
    const share = flat.shares[node];
    const shade = shades[share > 1 ? 2 * SHADES + share - 1 : Math.round(share * SHADES) + SHADES];
    const pixels = (to - from) * length;
    if (pixels >= 1 || from - run.to > 0.5 / length) end(run, row, length);
    if (pixels >= 1) {
      // A line between two is drawn by both.
      paint(row, from, to, shade.style, node > 0 ? 0.55 * ease((pixels - 2.5) / 5.5) * ease((plane.size - 3) / 7) : 0);
      if (pixels > NAME_SIZE * scale) named.push([node, row, from, to, shade]);
      return;
    }
    if (run.cover === 0) Object.assign(run, { from, sum: [0, 0, 0] });
    run.to = to;
    run.cover += to - from;
    shade.linear.forEach((part, k) => { run.sum[k] += part * (to - from); });
    if ((to - run.from) * length >= 1) end(run, row, length);
  };
  const visit = (node) => {
    const from = Math.max((spans[2 * node] - plane.from) / plane.width, 0);
    const to = Math.min((spans[2 * node + 1] - plane.from) / plane.width, 1);
    const row = level[node] - plane.level;
    if (!(from < to) || row >= plane.rows) return;
    if (row > -1) put(node, row, from, to);
    for (let k = 0; k < childCount[node]; k++) visit(ranked[firstChild[node] + k]);
  };
  const { width, height } = app.flatCanvas;
  context.fillStyle = context.strokeStyle = toStyle(theme.top, 1);
  context.fillRect(0, 0, width, height);
  context.lineWidth = scale;
  context.save();
  context.beginPath();
  context.rect(plane.x0, plane.y0, plane.x1 - plane.x0, plane.y1 - plane.y0);
  context.clip();
  visit(0);
  for (const run of runs) if (run) end(run, run.row, run.length);
  context.restore();
  if (isZooming(app)) return;
  flat.zoom = null;
  context.font = "500 " + NAME_SIZE * scale + "px " + font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [node, row, from, to, { linear: [red, green, blue] }] of named) {
    context.fillStyle = 0.21 * red + 0.72 * green + 0.07 * blue > 0.19 ? "#101820e6" : "#fffffff2";
    writeName(context, plane, getName(model, node), row, from, to, scale);
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
}

export function isZooming({ flat, as }) {
  return as > 0 && flat.zoom && performance.now() - flat.zoom.begun < ZOOM_MS;
}

// As engine/tree/tree_labels.c places them: in the cell; along the ring, from left to right; or across it.
function writeName(context, plane, name, row, from, to, scale) {
  const font = NAME_SIZE * scale, middle = (from + to) / 2;
  const write = (text, x, y, angle) => {
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    context.setTransform(c, s, -s, c, x, y);
    context.fillText(text, 0, font / 12);
  };
  const { x, y, size, length } = plane;
  const put = (room, write) => {
    const text = room >= LEAST_ROOM * scale && fitText(context, name, room);
    if (text) write(text);
  };
  if (!plane.isRound) {
    const begin = Math.max(x + row * size, plane.x0), end = x + (row + 1) * size;
    if ((to - from) * length >= 1.3 * font) put(end - begin - font, (text) => write(text, (begin + end) / 2, y + middle * length, 0));
    return;
  }
  if (row === 0) return put(size * 1.7, (text) => write(text, x, y, 0));
  const radius = (row + 0.5) * size, turn = middle * TURN;
  const along = size >= 1.3 * font ? Math.min((to - from) * TURN * radius - font, 0.75 * TURN * radius) : 0;
  const across = (to - from) * TURN * (row * size + font / 2) >= 1.15 * font ? size - font : 0;
  const place = (angle, text, tilt) => write(text, x + radius * Math.sin(angle), y - radius * Math.cos(angle), angle + tilt);
  if (along < across && along < 5 * font) return put(across, (text) => place(turn, text, middle > 0.5 ? TURN / 4 : -TURN / 4));
  put(along, (text) => {
    const isLow = middle > 0.25 && middle < 0.75, way = isLow ? -1 : 1;
    let at = -context.measureText(text).width / 2;
    for (const sign of text) {
      const width = context.measureText(sign).width;
      place(turn + way * (at + width / 2) / radius, sign, isLow ? TURN / 2 : 0);
      at += width;
    }
  });
}

// Around findings, what is pointed at and what is selected.
export function drawMarks(app, theme) {
  const { model, flat, root, scale } = app;
  const context = app.over.getContext("2d");
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  if (isZooming(app) || !flat.plane) return;
  const { plane, spans } = flat;
  const causes = model.facts.findings?.causes || [];
  const ink = theme.top[0] > 0.5 ? 0.1 : 0.95;
  for (const [node, color, width] of [...causes.map(({ group }) => [group ?? -1, [ink, ink, ink], 1.5]),
    [app.hovered, theme.hovered, 2], [app.selected, theme.selected, 3]]) {
    const [from, to] = [2 * node, 2 * node + 1].map((at) => (spans[at] - plane.from) / plane.width);
    if (node < 0 || !(from < to) || !isInside(model, node, root)) continue;
    trace(context, plane, model.level[node] - plane.level, from, to);
    context.strokeStyle = toStyle(color, 1);
    context.lineWidth = width * scale;
    context.lineJoin = "round";
    context.stroke();
  }
}

// The group at a pixel; -1: none.
export function pickFlat({ model, flat, root }, x, y) {
  const { plane, spans } = flat;
  if (!plane) return -1;
  const [dx, dy] = [x - plane.x, y - plane.y];
  const row = (plane.isRound ? Math.hypot(dx, dy) : dx) / plane.size;
  const along = plane.isRound ? (Math.atan2(dx, -dy) / TURN + 1) % 1 : dy / plane.length;
  const at = plane.from + along * plane.width;
  let node = row < 0 || along < 0 || along > 1 || row >= plane.rows || x < plane.x0 ? -1 : root;
  for (let left = row; left >= 1 && node >= 0; left--) {
    let found = -1;
    for (let k = 0; k < model.childCount[node] && found < 0; k++) {
      const child = model.firstChild[node] + k;
      if (spans[2 * child] <= at && at < spans[2 * child + 1]) found = child;
    }
    node = found;
  }
  return node;
}

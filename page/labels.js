// Names and outlines over the city, on a canvas of their own: text is drawn there, never markup.
import { getBase, getBox, getLargestBox } from "./city.js";
import { add, project } from "./camera.js";
import { getCorners } from "./glass.js";
import { eachPart, getName, isDistrict } from "./model.js";

const MOST_LABELS = 14;
const CHIP = 6;
const CAPITAL = 9.5; // pixels, of a name on the ground in the picture
const CAPITAL_SHARE = 0.72; // of a letter
const MOST_EM = 27;
const GAP = 0.78; // from the city's edge to the middle of a name, in letters
const RIM = 0.06; // of the city, at most between a district at its edge and that

// The outer border of points, counter-clockwise (Andrew's monotone chain).
function getHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const hull = [];
    for (const p of list) {
      while (hull.length > 1) {
        const [a, b] = hull.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return half(sorted).concat(half(sorted.reverse()));
}

export function toStyle(color, opacity) {
  return "rgba(" + color.map((part) => Math.round(part * 255)).join(",") + "," + opacity + ")";
}

function outline(context, view, box, color, width, glow) {
  const corners = getCorners(view, box);
  if (corners.includes(null)) return;
  context.save();
  context.beginPath();
  getHull(corners).forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
  context.lineJoin = "round";
  if (glow) {
    context.strokeStyle = toStyle(color, 0.25);
    context.lineWidth = 4 * width;
    context.stroke();
  }
  context.strokeStyle = toStyle(color, 1);
  context.lineWidth = width;
  context.stroke();
  context.restore();
}

function getRoof(box) {
  return [box[0], box[4], box[2], box[3], box[4], box[5]];
}

function findRoof({ city, view, from, to, moment }, node) {
  const box = getBox(city, node, from, to, moment);
  return box[4] > box[1] ? project(view, [(box[0] + box[3]) / 2, box[4], (box[2] + box[5]) / 2]) : null;
}

// An arc from who holds to what is held, as wide as its share of that.
function drawHold(context, state, { node, share }) {
  const [a, b] = [findRoof(state, node), findRoof(state, state.selected)];
  if (!a || !b) return;
  const { scale, theme } = state;
  const [x, y] = [(a[0] + b[0]) / 2, Math.min(a[1], b[1]) - 0.25 * Math.hypot(a[0] - b[0], a[1] - b[1])];
  const angle = Math.atan2(b[1] - y, b[0] - x);
  const width = (1.5 + 5 * share) * scale;
  const size = width + 6 * scale;
  context.beginPath();
  context.moveTo(a[0], a[1]);
  context.quadraticCurveTo(x, y, b[0] - size * Math.cos(angle), b[1] - size * Math.sin(angle));
  for (const [color, more] of [[theme.bottom, 3 * scale], [theme.held, 0]]) {
    context.strokeStyle = toStyle(color, 0.85);
    context.lineWidth = width + more;
    context.stroke();
  }
  context.fillStyle = toStyle(theme.held, 0.95);
  context.beginPath();
  context.moveTo(b[0], b[1]);
  for (const side of [-0.5, 0.5]) context.lineTo(b[0] - 1.4 * size * Math.cos(angle + side), b[1] - 1.4 * size * Math.sin(angle + side));
  context.fill();
}

// Shortened in the middle.
export function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  for (let kept = text.length - 1; kept > 3; kept--) {
    const short = text.slice(0, Math.ceil(kept / 2)) + "…" + text.slice(text.length - Math.floor(kept / 2));
    if (context.measureText(short).width <= width) return short;
  }
  return "";
}

function isFree(taken, area) {
  return !taken.some((other) => area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3]);
}

function putLabel(context, state, taken, label) {
  const { scale, dark } = state;
  context.font = (label.isDistrict ? "500 " : "600 ") + 12 * scale + "px " + state.font;
  const text = fitText(context, label.text, Math.max(label.room, 90 * scale));
  if (!text) return false;
  const [width, height] = [context.measureText(text).width + 2 * CHIP * scale, 19 * scale];
  const x = Math.min(Math.max(label.x - width / 2, 4), context.canvas.width - width - 4);
  const y = label.isDistrict ? label.y - height / 2 : label.y - height - 7 * scale;
  const area = [x - 2, y - 2, x + width + 2, y + height + 2];
  if (y < 0 || y + height > context.canvas.height || !isFree(taken, area)) return false;
  taken.push(area);
  if (!label.isDistrict) {
    context.strokeStyle = dark ? "#ebf0fa8c" : "#141c2c73";
    context.lineWidth = scale;
    context.beginPath();
    context.moveTo(label.x, y + height);
    context.lineTo(label.x, label.y);
    context.stroke();
  }
  context.fillStyle = label.isDistrict ? (dark ? "#1016229e" : "#12203aa8")
    : dark ? "#1e232eeb" : "#ffffffeb";
  context.beginPath();
  context.roundRect(x, y, width, height, 5 * scale);
  context.fill();
  context.fillStyle = label.isDistrict ? "#f2f6ff" : dark ? "#eef2f8" : "#182032";
  context.fillText(text, x + CHIP * scale, y + height / 2 + scale / 2);
  return true;
}

// Whether the name of a district at the city's edge could be laid before it, in perspective, on a side that faces the eye; as
// engine/scene/label_ground.c has the first row.
function layName(context, state, taken, node) {
  const { model, city, view, scale } = state;
  const { plots } = model;
  const { forward } = view.axes;
  for (const across of Math.abs(forward[0]) > Math.abs(forward[2]) ? [0, 1] : [1, 0]) {
    const isHigh = forward[2 * across] < 0;
    const [own, all] = [node, city.root].map((at) => plots.subarray(4 * at, 4 * at + 4));
    const at = across + (isHigh ? 2 : 0), other = 1 - across;
    if (Math.abs(own[at] - all[at]) > RIM * (all[across + 2] - all[across])) continue;
    const out = [0, 0, 0], middle = [0, getBase(city, city.root), 0];
    out[2 * across] = isHigh ? 1 : -1;
    middle[2 * across] = all[at];
    middle[2 * other] = (own[other] + own[other + 2]) / 2;
    const along = [out[2], 0, -out[0]];
    const edge = project(view, middle);
    if (!edge) continue;
    const pixels = edge[2];
    // A pixel's length along and out from a point, in the picture.
    const look = (point) => {
      const from = project(view, point);
      const [right, down] = [along, out].map((way) => project(view, add(point, way, 1 / pixels)).map((to, i) => to - from[i]));
      return [right[0], right[1], down[0], down[1], from[0], from[1]];
    };
    const [rx, ry, dx, dy] = look(middle);
    const height = Math.abs(rx * dy - ry * dx) / Math.hypot(rx, ry);
    const em = CAPITAL * scale / height / CAPITAL_SHARE;
    if (!(rx > Math.abs(ry)) || em > MOST_EM * scale) continue;
    context.font = "600 " + em + "px " + state.font;
    const text = fitText(context, getName(model, node), (own[other + 2] - own[other]) * pixels - 0.7 * em);
    const line = add(middle, out, GAP * em / pixels);
    let left = -context.measureText(text).width / 2;
    const ends = [left, -left].map((by) => project(view, add(line, along, by / pixels)));
    const [[x0, y0], [x1, y1]] = ends;
    const area = [x0, Math.min(y0, y1) - CAPITAL * scale, x1, Math.max(y0, y1) + CAPITAL * scale];
    if (!text || !ends.every((end) => isInPicture(context, end)) || !isFree(taken, area)) continue;
    taken.push(area);
    context.fillStyle = state.dark ? "#dfe7f3" : "#26324a";
    context.textAlign = "center";
    for (const sign of text) {
      const { width } = context.measureText(sign);
      context.setTransform(...look(add(line, along, (left + width / 2) / pixels)));
      context.fillText(sign, 0, 0);
      left += width;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "start";
    return true;
  }
  return false;
}

function isInPicture(context, [x, y]) {
  return x > 0 && y > 0 && x < context.canvas.width && y < context.canvas.height;
}

// Of a building above its roof, of a district along its front edge.
function makeLabel(context, state, node) {
  const { model, city, view, from, to, moment, scale } = state;
  const box = getBox(city, node, from, to, moment);
  if (isDistrict(model, node)) {
    const [left, right] = [project(view, [box[0], box[4], box[5]]), project(view, [box[3], box[4], box[5]])];
    if (!left || !right) return null;
    const room = Math.hypot(right[0] - left[0], right[1] - left[1]);
    const at = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
    if (room < 110 * scale || !isInPicture(context, at) || state.isHidden(node, at[0], at[1])) return null;
    return { text: getName(model, node), x: at[0], y: at[1], room: room * 0.9, isDistrict: true };
  }
  const at = project(view, [(box[0] + box[3]) / 2, box[4], (box[2] + box[5]) / 2]);
  if (!at || !isInPicture(context, at) || box[4] <= box[1]) return null;
  return { text: getName(model, node), x: at[0], y: at[1], room: 220 * scale, isDistrict: false };
}

// `state`: what is shown, with `named`, the nodes to name, the most important first, and
// `covered`, areas without names.
export function drawOver(context, state) {
  const { model, city, view, from, to, moment, theme, selected, hovered, marked, scale } = state;
  context.textBaseline = "middle";
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  for (const node of marked) outline(context, view, getRoof(getBox(city, node, from, to, moment)), theme.selected, 1.5 * scale, false);
  if (hovered >= 0 && hovered !== selected)
    outline(context, view, getBox(city, hovered, from, to, moment), theme.hovered, 1.5 * scale, false);
  for (const holder of state.holders) drawHold(context, state, holder);
  if (selected >= 0) outline(context, view, getBox(city, selected, from, to, moment), theme.selected, 2.5 * scale, true);
  const taken = [...state.covered];
  let count = 0;
  for (const node of state.named) {
    if (count >= MOST_LABELS) break;
    if (isDistrict(model, node) && layName(context, state, taken, node)) {
      count++;
      continue;
    }
    const label = makeLabel(context, state, node);
    if (label && putLabel(context, state, taken, label)) count++;
  }
}

// Districts that are large enough in the picture to have a name, the upper first.
export function findDistricts(state, most) {
  const { model, city, view, scale } = state;
  const found = [];
  for (let at = [city.root]; at.length > 0 && found.length < most;) {
    const next = [];
    for (const node of at)
      eachPart(model, node, (child) => {
        if (!isDistrict(model, child)) return;
        const box = getLargestBox(city, child);
        const middle = project(view, [(box[0] + box[3]) / 2, box[1], (box[2] + box[5]) / 2]);
        if (!middle || middle[2] * (box[3] - box[0]) < 90 * scale) return;
        found.push([child, middle[2] * (box[3] - box[0])]);
        next.push(child);
      });
    at = next;
  }
  return found.sort((a, b) => b[1] - a[1]).slice(0, most).map(([node]) => node);
}

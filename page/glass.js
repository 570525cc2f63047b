// Which buildings are glass, as they stand before one that matters: the rule of shaders/glass.comp and glass_marks.comp, where
// numbers are explained.
import { add, dot, project } from "./camera.js";
import { SLENDERNESS, ease, getBox, mix } from "./city.js";
import { getSides, isInside } from "./model.js";

const GLASS_FIRST = 0.06; // of a mark, where glass begins
const GLASS_ALL = 0.35;
const MOST_SIDE = 120; // of a mark that counts, in pixels
const BORDER = 0.02; // of the way to a mark, over which what comes before it becomes glass

export function getCorners(view, box) {
  const points = [];
  for (let corner = 0; corner < 8; corner++) points.push(project(view, [0, 1, 2].map((i) => box[corner >> i & 1 ? i + 3 : i])));
  return points;
}

// Least and most along the picture's axes and its diagonals, in pixels; null: behind the eye.
function getOutline(view, box) {
  const corners = getCorners(view, box), seen = corners.filter((at) => at);
  if (seen.length === 0) return null;
  const [low, high] = [[], []];
  for (let i = 0; i < 4; i++) {
    const ats = seen.map(([x, y]) => [x, y, (x + y) * 0.7071, (x - y) * 0.7071][i]);
    low.push(seen.length < 8 ? -Infinity : Math.min(...ats));
    high.push(seen.length < 8 ? Infinity : Math.max(...ats));
  }
  return { low, high };
}

function getReach(outline, mark, scale) {
  let reach = Infinity;
  for (let i = 0; i < 4; i++) {
    const by = Math.min(outline.high[i] - mark.low[i], mark.high[i] - outline.low[i]);
    reach = Math.min(reach, by / Math.min(mark.high[i] - mark.low[i], MOST_SIDE * scale));
  }
  return ease((reach - GLASS_FIRST) / (GLASS_ALL - GLASS_FIRST)) * mark.weight;
}

// 0: by where both stand nothing of it can hide the mark.
function getBefore(box, mark, eye) {
  let [beyond, way] = [-1, 1e-20];
  for (const i of [0, 2]) {
    if (box[i + 3] <= mark.box[i]) beyond = Math.max(beyond, eye[i] - box[i + 3]);
    if (box[i] >= mark.box[i + 3]) beyond = Math.max(beyond, box[i] - eye[i]);
    way += BORDER * Math.abs((mark.box[i] + mark.box[i + 3]) / 2 - eye[i]);
  }
  return 1 - ease(beyond / way);
}

function isWithin(box, { box: around }) {
  return box[0] >= around[0] && box[2] >= around[2] && box[3] <= around[3] && box[5] <= around[5];
}

// What is selected, and what grew the most as far as it has grown.
function findMarks({ model, city, view, from, step, moment, selected }, leading) {
  const hasGrown = [from, step].map((at) => getSides(model, at));
  const marks = [];
  const put = (node, weight) => {
    const box = getBox(city, node, from, step, moment);
    const outline = weight > 0 && node !== city.root && isInside(model, node, city.root) && box[4] > box[1] && getOutline(view, box);
    if (outline) marks.push({ node, box, weight, ...outline });
  };
  if (selected >= 0) put(selected, 1);
  for (const node of leading) {
    const [before, now] = hasGrown.map(([first, last]) => (last[model.row[node]] > first[model.row[node]] ? 1 : 0));
    if (node !== selected) put(node, mix(before, now, moment));
  }
  return marks;
}

// [how much, 0 to 1, and which box], the farthest first: of so many boxes, the largest.
export function findGlass(app, most) {
  const { model, city, view, from, step, moment, scale, drawing } = app;
  const { eye, focal, axes, centerX, centerY } = view;
  const { plots, places, order } = drawing;
  // What is highest stands out by that.
  const marks = city.scaling === 4 ? [] : findMarks(app, drawing.leading);
  const found = [];
  const visit = (node, slot) => {
    const at = 4 * slot, [wide, deep] = [plots[at + 2] - plots[at], plots[at + 3] - plots[at + 1]];
    // By the sphere around all that it ever is.
    const up = SLENDERNESS * Math.sqrt(wide * deep) / 2, radius = Math.sqrt(up * up + (wide * wide + deep * deep) / 4);
    const way = [plots[at] + wide / 2 - eye[0], places[at] + up - eye[1], plots[at + 1] + deep / 2 - eye[2]], depth = dot(axes.forward, way);
    if (depth + radius <= 0) return;
    if (depth > radius) {
      const x = centerX + focal * dot(axes.right, way) / depth, y = centerY - focal * dot(axes.up, way) / depth, by = focal * radius / (depth - radius);
      if (!marks.some(({ low, high }) => x - by < high[0] && x + by > low[0] && y - by < high[1] && y + by > low[1])) return;
    }
    const box = getBox(city, node, from, step, moment), outline = box[4] > box[1] && getOutline(view, box);
    if (!outline || marks.some((mark) => mark.node === node)) return;
    const share = Math.max(...marks.map((mark) => (isWithin(box, mark) ? 0 : getReach(outline, mark, scale) * getBefore(box, mark, eye))));
    if (share >= 0.004) found.push([share, slot, Math.abs(way[0]) + Math.abs(way[2])]);
  };
  if (marks.length > 0) order.slice(0, most).forEach(visit);
  return found.sort((a, b) => b[2] - a[2]);
}

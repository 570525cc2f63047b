// What the page shows, as the part of its address behind #: a link to it shows the same.
import { findPath, getPath } from "./model.js";

export const VIEWS = ["city", "sunburst", "icicle"];
const POSE = ["azimuth", "elevation", "distance"];

function readPose(text) {
  const numbers = text.split(",").map(Number);
  if (numbers.length !== 6 || !numbers.every(Number.isFinite) || numbers[2] <= 0) return null;
  return { azimuth: numbers[0], elevation: numbers[1], distance: numbers[2], target: numbers.slice(3) };
}

function readPath(model, text) {
  try {
    return findPath(model, text.split("/").filter((name) => name !== "").map(decodeURIComponent));
  } catch {
    return -1;
  }
}

function writePath(model, node) {
  return getPath(model, node).map(encodeURIComponent).join("/");
}

// All of it: what is not said, or not in this page, is as at first.
export function readAddress(model, text) {
  const said = { step: model.stepCount - 1, select: -1, district: 0, as: 0 };
  for (const part of text.replace(/^#/, "").split("&")) {
    const [name, value] = [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)];
    if (name === "step") {
      const step = model.facts.steps.findIndex((info) => info.step === Number(value));
      if (step >= 0) said.step = step;
    } else if (name === "select" || name === "district") {
      const node = readPath(model, value);
      if (node >= 0) said[name] = node;
    } else if (name === "view") {
      said.as = Math.max(VIEWS.indexOf(value), 0);
    } else if (name === "camera") {
      said.camera = readPose(value);
    } else if (name === "theme" || name === "palette") {
      said[name] = value;
    }
  }
  return said;
}

export function writeAddress(app) {
  const { model } = app;
  const pose = app.flight ? app.flight.to : app.pose;
  const parts = ["step=" + model.facts.steps[app.step].step];
  if (app.selected >= 0) parts.push("select=" + writePath(model, app.selected));
  if (app.root > 0) parts.push("district=" + writePath(model, app.root));
  if (app.as) parts.push("view=" + VIEWS[app.as]);
  else if (!app.isHome || app.isBird)
    parts.push("camera=" + [...POSE.map((name) => pose[name]), ...pose.target].map((n) => +n.toPrecision(7)).join(","));
  if (app.theme) parts.push("theme=" + app.theme);
  if (app.palette !== "heat") parts.push("palette=" + app.palette);
  return "#" + parts.join("&");
}

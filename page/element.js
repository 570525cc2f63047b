// Elements of the page. What comes from a trace is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function byId(id) {
  return document.getElementById(id);
}

export function on(target, kind, handle) {
  target.addEventListener(kind, handle);
}

// With properties, or of a class.
export function make(tag, properties, ...children) {
  const isClass = typeof properties === "string";
  const element = Object.assign(document.createElement(tag), isClass ? { className: properties } : properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function makeShape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// An area chart of values over the steps' times, a line at `step`.
export function makeChart(values, times, step, notes) {
  const most = values.reduce((a, b) => Math.max(a, b)) || 1;
  const [from, span] = [times[0], times[times.length - 1] - times[0] || 1];
  const x = (i) => (times.length > 1 ? (times[i] - from) / span : 0.5) * 1000;
  const y = (i) => 100 - 96 * values[i] / most;
  const line = values.map((_, i) => (i === 0 ? "M" : "L") + x(i).toFixed(1) + "," + y(i).toFixed(2)).join("");
  const chart = makeShape("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", width: "100%", height: "100%" },
    makeShape("path", { class: "area", d: line + "L" + x(values.length - 1).toFixed(1) + ",100L" + x(0).toFixed(1) + ",100Z" }),
    makeShape("path", { class: "line", d: line }));
  for (const i of notes) chart.append(makeShape("line", { class: "note", x1: x(i), x2: x(i), y1: 84, y2: 100 }));
  chart.append(makeShape("line", { class: "at", x1: x(step), x2: x(step), y1: 0, y2: 100 }));
  return chart;
}

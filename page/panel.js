// The panels: findings, selection, what grew the most, search, where one is.
import { byId, make, makeChart, on } from "./element.js";
import { formatCount, formatCounted, formatGrowth, formatShare, formatValue } from "./format.js";
import { eachPart, getAncestors, getHolders, getName, getOther, getRole, getSeries, getShown, getShownGrowth, getValue, isDistrict, search } from "./model.js";

const MOST_GROWERS = 8;
const MOST_PARTS = 8;
const MOST_HITS = 50;

function makeRow(app, node, text, className) {
  const name = getName(app.model, node);
  const end = name.length > 26 ? name.length - 13 : name.length; // what is too long loses its middle
  const row = make("button", { className: "row" + (node === app.selected ? " on" : ""), title: name },
    make("span", {}, name.slice(0, end)), make("span", {}, name.slice(end)), make("small", className || "", text));
  on(row, "click", () => app.select(node, true));
  return row;
}

// ---- findings

function makeFacts(facts) {
  const list = make("dl", {});
  for (const [name, text] of facts) list.append(make("dt", {}, name), make("dd", {}, text));
  return list;
}

function makeCause(app, cause, index) {
  const button = make("button", "cause" + (index === 0 ? " first" : "") + (cause.group === app.selected ? " on" : ""),
    cause.sentence);
  on(button, "click", () => app.follow(index));
  const parts = [button];
  if (cause.facts.length > 0)
    parts.push(make("details", {}, make("summary", {}, "Evidence"), makeFacts(cause.facts)));
  return parts;
}

export function showFindings(app) {
  const { findings } = app.model.facts;
  const section = byId("findings");
  section.replaceChildren();
  if (!findings) return;
  if (findings.causes.length === 0) {
    section.append(make("h2", {}, "Finding"), make("p", "headline", findings.headline));
    return;
  }
  section.append(make("h2", {}, "Why it grows"));
  findings.causes.forEach((cause, i) => section.append(...makeCause(app, cause, i)));
  if (findings.rest) section.append(make("p", "muted", "… " + findings.rest));
}

// ---- the selection

function makeActs(app, node) {
  const acts = make("div", "acts");
  const act = (text, title, what) => {
    const button = make("button", { title }, text);
    on(button, "click", what);
    acts.append(button);
  };
  if (!app.as) act("Fly there", "F", () => app.frame(node));
  if (isDistrict(app.model, node) && node !== app.root) act("Enter", "Enter", () => app.enter(node));
  act("Clear", "Esc", () => app.select(-1, false));
  return acts;
}

function makeParts(app, node) {
  const { model, step } = app;
  const parts = [];
  eachPart(model, node, (part) => parts.push(part));
  const values = new Map(parts.map((part) => [part, getValue(model, step, part)]));
  parts.sort((a, b) => values.get(b) - values.get(a) || a - b);
  const shown = parts.slice(0, MOST_PARTS).filter((part) => values.get(part) > 0);
  return shown.map((part) => makeRow(app, part, formatValue(model.facts.metric, values.get(part))));
}

function getSince(model) {
  return model.facts.versus ? " from A to B" : " since the first step";
}

function makeOther(model, step, node) {
  const { other } = model.facts;
  if (!other) return [];
  const value = getOther(model, step, node);
  const growth = value - getOther(model, 0, node);
  return [make("p", "muted", formatCounted(other, value) + " · " + formatGrowth(other, growth))];
}

export function showSelection(app) {
  const { model, step, selected } = app;
  const section = byId("selection");
  section.replaceChildren();
  if (selected < 0) return;
  const { metric, steps } = model.facts;
  const series = getSeries(model, selected);
  const [total, growth] = [steps[step].total, getShownGrowth(model, step, selected)];
  const way = getAncestors(model, selected).slice(0, -1).map((node) => getName(model, node)).join(" › ");
  const chart = make("div", {});
  chart.style.height = "44px";
  chart.style.margin = "8px 0 4px";
  chart.append(makeChart(series, steps.map((info) => info.ms), step, []));
  const share = metric.additive && total > 0 ? " · " + formatShare(series[step] / total) + " of all" : "";
  section.append(make("h2", {}, getRole(model, selected) || "Selection"), make("h3", {}, getName(model, selected)),
    make("p", "path", way), make("p", "value", formatCounted(metric, getShown(model, step, selected))), ...makeOther(model, step, selected),
    make("p", {}, make("span", growth > 0 ? "up" : "muted", formatGrowth(metric, growth) + getSince(model)),
      make("span", "muted", share)),
    chart, makeActs(app, selected), ...makeHolders(app, selected), ...makeParts(app, selected));
}

// At the last step alone is it known who they are.
function makeHolders(app, node) {
  const holders = getHolders(app.model, node);
  if (holders.length === 0) return [];
  const rows = holders.map((holder) => makeRow(app, holder.node, formatCount(holder.count) + (holder.count === 1 ? " object" : " objects")));
  const last = app.model.stepCount - 1;
  const when = app.step < last ? ", at step " + app.model.facts.steps[last].step : "";
  return [make("h2", "apart", "Kept alive by" + when), ...rows];
}

export function showGrowers(app) {
  const { model } = app;
  const section = byId("growers");
  const growers = app.growers.slice(0, MOST_GROWERS);
  section.replaceChildren();
  if (growers.length === 0) return;
  section.append(make("h2", {}, "What grew the most" + (model.facts.versus ? getSince(model) : "")),
    ...growers.map(({ node, growth }) => makeRow(app, node, formatGrowth(model.facts.metric, growth), "up")));
}

// ---- search

export function showHits(app, text) {
  const list = byId("hits");
  const { model, step } = app;
  list.replaceChildren();
  app.hits = [];
  if (text.trim() === "") return;
  const { count, nodes } = search(model, text.trim(), MOST_HITS);
  app.hits = nodes;
  for (const node of nodes)
    list.append(make("li", {}, makeRow(app, node, formatValue(model.facts.metric, getShown(model, step, node)))));
  const more = count === 0 ? "No name has this." : count > nodes.length ? "… " + formatCount(count) + " in all" : "";
  if (more) list.append(make("li", "muted", more));
}

// ---- where one is, and what the page is

export function showWay(app) {
  const way = byId("way");
  way.replaceChildren();
  if (app.root === 0) return;
  getAncestors(app.model, app.root).forEach((node, i) => {
    if (i > 0) way.append("›");
    const button = make("button", { title: "Enter" }, getName(app.model, node));
    on(button, "click", () => app.enter(node));
    way.append(button);
  });
}

export function showAbout(app) {
  const { facts, count, stepCount } = app.model, { steps } = facts;
  const parts = [formatCount(count) + " groups"];
  if (stepCount < facts.all_steps) parts.push(stepCount + " of " + formatCount(facts.all_steps) + " steps");
  else parts.push(stepCount + (stepCount === 1 ? " step" : " steps"));
  if (stepCount > 1) parts.push(steps[0].time + " to " + steps[stepCount - 1].time);
  if (facts.hidden > 0) {
    const share = facts.hidden_share >= 0 ? " (" + formatShare(facts.hidden_share) + ")" : "";
    parts.push("without the " + formatCount(facts.hidden) + " smallest" + share);
  }
  byId("about").textContent = parts.join(" · ") + ". Made by memcity " + facts.version + ".";
}

export function showTip(app, x, y) {
  const tip = byId("tip");
  const { model, step, hovered } = app;
  tip.classList.toggle("on", hovered >= 0);
  if (hovered < 0) return;
  const { metric } = model.facts;
  const value = getShown(model, step, hovered);
  const growth = getShownGrowth(model, step, hovered);
  const role = getRole(model, hovered);
  tip.replaceChildren(make("b", {}, getName(model, hovered)),
    make("span", "muted", (role ? role + " · " : "") + formatCounted(metric, value) + " · " + formatGrowth(metric, growth)),
    ...makeOther(model, step, hovered));
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  const left = x + 16 + width > innerWidth - 8 ? x - 16 - width : x + 16;
  tip.style.transform = "translate(" + Math.max(left, 8) + "px," + Math.min(y + 14, innerHeight - height - 8) + "px)";
}

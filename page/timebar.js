// The steps: a chart of the whole over time on which one points, play and pause.
import { byId, make, makeChart, makeShape, on } from "./element.js";
import { formatValue } from "./format.js";
import { getSeries, getShown } from "./model.js";

const ICONS = { play: "M4 2l11 7-11 7z", pause: "M4 2h4v14H4zM10 2h4v14h-4z" };

function findStep(app, x) {
  const { steps } = app.model.facts;
  const box = byId("chart").getBoundingClientRect();
  const share = Math.min(Math.max((x - box.left) / box.width, 0), 1);
  const span = steps[steps.length - 1].ms - steps[0].ms;
  const at = steps[0].ms + share * span;
  let best = 0;
  steps.forEach((info, i) => { if (Math.abs(info.ms - at) < Math.abs(steps[best].ms - at)) best = i; });
  return best;
}

export function showTime(app) {
  const { model, step } = app;
  const { steps, metric } = model.facts;
  const chart = byId("chart");
  if (app.chartRoot !== app.root) {
    app.chartRoot = app.root;
    app.series = app.root === 0 ? steps.map((info) => info.total) : getSeries(model, app.root);
  }
  const notes = steps.map((info, i) => (info.note ? i : -1)).filter((i) => i >= 0);
  chart.replaceChildren(makeChart(app.series, steps.map((info) => info.ms), step, notes));
  chart.setAttribute("aria-valuemax", steps.length - 1);
  chart.setAttribute("aria-valuenow", step);
  chart.setAttribute("aria-valuetext", "step " + steps[step].step);
  const info = steps[step];
  byId("now").replaceChildren(make("b", {}, formatValue(metric, getShown(model, step, app.root) && app.series[step])),
    make("span", "muted", "step " + info.step + " · " + info.time + (info.note ? " · " + info.note : "")));
}

export function showPlaying(app) {
  const button = byId("play");
  button.replaceChildren(makeShape("svg", { viewBox: "0 0 18 18", width: 18, height: 18 },
    makeShape("path", { d: app.playing ? ICONS.pause : ICONS.play })));
  button.setAttribute("aria-label", app.playing ? "Pause" : "Play");
}

export function listenToTime(app) {
  const chart = byId("chart");
  on(chart, "pointerdown", (event) => {
    chart.setPointerCapture(event.pointerId);
    app.stop();
    app.goTo(findStep(app, event.clientX));
  });
  on(chart, "pointermove", (event) => {
    if (chart.hasPointerCapture(event.pointerId)) app.goTo(findStep(app, event.clientX));
  });
  on(byId("play"), "click", () => app.togglePlay());
}

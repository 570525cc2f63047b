// A page that memcity serves: its data comes by a WebSocket of that server, and anew when a recording has grown.
import { readFacts, readPage, unpack } from "./data.js";
import { byId, make } from "./element.js";
import { app, isStill, openPage, setRoot, showColors, showSteps } from "./main.js";
import { findPath, getPath, makeModel } from "./model.js";
import { showAbout, showFindings, showHits, showWay } from "./panel.js";

const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 8000;

const said = make("p", { id: "live", className: "muted", role: "status" });
byId("about").after(said);

function say(text) {
  said.textContent = text;
}

// The step of the page that is, or is nearest to, a step of the trace.
function findNearest(steps, wanted) {
  let best = 0;
  steps.forEach((info, i) => { if (Math.abs(info.step - wanted) < Math.abs(steps[best].step - wanted)) best = i; });
  return best;
}

// Camera, selection, district and step stay; who is at the newest step stays at the newest.
function takeOver(model) {
  const { model: old, step, root, selected, marked } = app;
  const keep = (node) => (node < 0 ? -1 : findPath(model, getPath(old, node)));
  const from = findNearest(model.facts.steps, old.facts.steps[step].step);
  const isNewest = step === old.stepCount - 1;
  Object.assign(app, { model, from, step: isNewest ? model.stepCount - 1 : from, selected: keep(selected), hovered: -1, chartRoot: -1,
    marked: marked.map(keep).filter((node) => node >= 0), growers: [], flat: {} });
  Object.assign(app, { moment: isStill() || app.from === app.step ? 1 : 0, stepBegun: performance.now() });
  setRoot(Math.max(keep(root), 0));
  showWay(app);
  showAbout(app);
  showFindings(app);
  showHits(app, byId("query").value);
  showSteps();
  showColors();
}

// Where each column stands: [first byte, planes, count].
function placeColumns({ facts, end }) {
  let next = end;
  return facts.columns.map(([, planes, count]) => {
    next += planes * count;
    return [next - planes * count, planes, count];
  });
}

function countBits(bytes, [from, , count], rows, row) {
  let sum = 0;
  for (let at = row; at < count; at += rows) for (let bits = bytes[from + at]; bits > 0; bits &= bits - 1) sum++;
  return sum;
}

// The bytes of a page from those before and what differs: how each column follows is in docs/reference/serve.md.
export function addDelta(old, delta) {
  const words = readFacts(delta);
  const [before, now] = [placeColumns(readFacts(old)), placeColumns(words)];
  const [last, lastPlanes, lastCount] = now[now.length - 1];
  const bytes = new Uint8Array(last + lastPlanes * lastCount);
  bytes.set(delta.subarray(0, words.end));
  let at = words.end;
  now.forEach(([from, planes, count], i) => {
    const [oldFrom, oldPlanes, oldCount] = before[i];
    const kind = delta[at++];
    const size = planes * count;
    if (kind === 0) bytes.set(old.subarray(oldFrom, oldFrom + size), from);
    if (kind === 1 || kind === 3) bytes.set(delta.subarray(at, at += size), from);
    if (kind === 1)
      for (let plane = 0; plane < Math.min(planes, oldPlanes); plane++)
        for (let k = 0; k < Math.min(count, oldCount); k++) bytes[from + plane * count + k] ^= old[oldFrom + plane * oldCount + k];
    if (kind !== 2) return;
    const rows = now[i - 2][2];
    let [put, kept, more] = [0, 0, 0];
    for (let row = 0; row < rows; row++) {
      const had = countBits(old, before[i - 1], rows, row);
      const has = countBits(bytes, now[i - 1], rows, row);
      for (let k = 0; k < has; k++, put++) {
        const isOld = k < had;
        for (let plane = 0; plane < planes; plane++)
          bytes[from + plane * count + put] = !isOld ? delta[at + plane * (count - oldCount) + more] : plane < oldPlanes ? old[oldFrom + plane * oldCount + kept] : 0;
        if (isOld) kept++;
        else more++;
      }
    }
    at += planes * (count - oldCount);
  });
  return bytes;
}

// What the server says next: { version, data, live, delta }, and `data` bytes behind it. It waits until it is asked for what is newer.
function receive(version, take, lose) {
  const socket = new WebSocket("ws://" + location.host + "/data" + location.search);
  let head = null, parts = [], size = 0;
  const ask = () => socket.readyState === 1 && socket.send(version + "+");
  socket.binaryType = "arraybuffer";
  socket.onopen = ask;
  socket.onmessage = async ({ data }) => {
    if (typeof data === "string") [head, parts, size] = [JSON.parse(data), [], 0];
    else size += parts.push(data) && data.byteLength;
    if (size < head.data) return take(null, size / head.data);
    await take(head, 1, parts);
    version = head.version;
    ask();
  };
  socket.onclose = lose;
}

openPage((progress) => new Promise((resolve, reject) => {
  let wait = FIRST_WAIT_MS, version = 0, bytes = null;
  const take = async (head, share, parts) => {
    wait = FIRST_WAIT_MS;
    if (!head) return version > 0 || progress(share);
    if (head.data > 0) {
      const part = await unpack(parts).catch(reject);
      bytes = head.delta ? addDelta(bytes, part) : part;
      if (version > 0) takeOver(makeModel(readPage(bytes)));
      else resolve(bytes);
    }
    version = head.version;
    say(head.live ? "Live: new steps appear as they come." : "");
  };
  const begin = () => receive(version, take, () => {
    if (version === 0 && wait > FIRST_WAIT_MS)
      return reject(new Error("memcity does not answer. Is it still running, and the way to it open?"));
    say("memcity does not answer; trying again.");
    setTimeout(begin, wait);
    wait = Math.min(2 * wait, LAST_WAIT_MS);
  });
  begin();
}));

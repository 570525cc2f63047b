// busy_nodejs.js MODE: a program of Node that is recorded while it runs, in ways that go well or wrong. It says "ready" when it may be.
const crypto = require("crypto"), http = require("http");
const mode = process.argv[2];
class Session { constructor(number) { this.number = number; this.user = "visitor " + number; this.tags = [number]; } }
const sessions = new Map();
let number = 0;
const add = () => { for (let i = 0; i < 200; i++, number++) sessions.set(number, new Session(number)); };

// What pretends to be an inspector: on SIGUSR1, as Node's own would, at a port of its own.
function pretend() {
  const list = { list: "no JSON at all", id: '[{"type":"node","id":"../../etc"}]', page: '[{"type":"page","id":"a-1"}]' }[mode] ?? '[{"type":"node","id":"a-1"}]';
  const server = http.createServer((request, response) => {
    if (mode !== "drips") return response.end(list);
    response.setHeader("Content-Length", list.length);
    for (let i = 0; i < list.length; i++) setTimeout(() => response.write(list[i]), 1000 * i);
  });
  const frame = (text) => {
    const bytes = Buffer.from(text), head = Buffer.alloc(bytes.length < 126 ? 2 : 10);
    head[0] = 0x81;
    head[1] = bytes.length < 126 ? bytes.length : 127;
    if (bytes.length >= 126) head.writeBigUInt64BE(BigInt(bytes.length), 2);
    return Buffer.concat([head, bytes]);
  };
  const chunk = (text) => frame(JSON.stringify({ method: "HeapProfiler.addHeapSnapshotChunk", params: { chunk: text } }));
  const answers = {
    refuses: () => [frame('{"id":1,"error":{"code":-32601,"message":"no \\u001b[31msnapshots\\u0007 here"}}')],
    empty: () => [frame('{"id":1,"result":{}}')],
    nonsense: () => [chunk("no snapshot"), frame('{"id":1,"result":{}}')],
    broken: () => [frame('{"method":"HeapProfiler.addHeapSnapshotChunk","params":{"chunk":17}}')],
    deep: () => [frame('{"params":' + "[".repeat(100000) + "]".repeat(100000) + "}"), frame("[]")],
    silent: () => [],
    cuts: () => [chunk('{"snapshot":'), null],
    frames: () => [Buffer.alloc(32, 0xff)],
    endless: () => [Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0]), ...Array(1200).fill(Buffer.alloc(65536, 0x20))],
  };
  server.on("upgrade", (request, socket) => {
    const accept = crypto.createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
    socket.on("error", () => {});
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n");
    socket.once("data", () => { for (const bytes of answers[mode]()) { if (bytes) socket.write(bytes); else socket.end(); } });
  });
  server.listen(0, "127.0.0.1");
}

if (mode === "leak") setInterval(add, 20);
else if (mode === "busy") setTimeout(() => { add(); for (;;); }, 100);
else if (mode === "deaf") { process.on("SIGUSR1", () => {}); setInterval(() => {}, 1000); }
else { process.on("SIGUSR1", pretend); setInterval(() => {}, 1000); }
console.log("ready");

// Talks with `memcity mcp` by the protocol's official client: what it does not understand, it refuses.
//
// usage: node mcp_sdk.mjs MEMCITY ROOT   (in a folder with node_modules/@modelcontextprotocol/sdk; ROOT/http.mct is a trace)
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [memcity, root] = process.argv.slice(2);
const require = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");

const fail = (...what) => { console.error("failed:", ...what); process.exitCode = 1; };
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command: memcity, args: ["mcp", "--root", root] }));
if (client.getServerVersion().name !== "memcity" || !client.getInstructions()) fail("who it is");
await client.ping();
const { tools } = await client.listTools();
if (tools.length !== 10 || tools.some((tool) => !tool.annotations.readOnlyHint)) fail("tools", JSON.stringify(tools).slice(0, 300));

const call = async (name, input) => (await client.callTool({ name, arguments: input }));
const why = await call("why", { trace: "http.mct" });
const key = JSON.parse(why.content[0].text).data.findings[0].key;
if (why.isError || !key.includes("HostConnectionPool")) fail("why", why.content[0].text.slice(0, 300));
const refs = await call("refs", { trace: "http.mct", of: key });
if (refs.isError) fail("refs", refs.content[0].text);
const none = await call("open", { trace: "/etc/passwd" });
if (!none.isError) fail("a file outside", none.content[0].text);
const wrong = await call("find", { trace: "http.mct" }).then(() => false, (error) => error.code === -32602);
if (!wrong) fail("a missing argument is no error");
await client.close();

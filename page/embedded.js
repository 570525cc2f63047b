// A page that has its data in itself, as lines of base 64.
import { unpack } from "./data.js";
import { byId } from "./element.js";
import { openPage } from "./main.js";

function decodeLine(line) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(line);
  const text = atob(line);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

openPage(async (progress) => {
  const element = byId("data");
  const lines = element.textContent.split("\n");
  const parts = [];
  element.remove();
  for (let i = 0; i < lines.length; i++) {
    parts.push(decodeLine(lines[i]));
    lines[i] = "";
    progress((i + 1) / lines.length);
    if (lines.length > 1) await new Promise((resolve) => setTimeout(resolve));
  }
  return unpack(parts);
});

// What memcity packed into the page: words as JSON, then columns of whole numbers.

// Raw deflate, by parts.
export async function unpack(parts) {
  if (!globalThis.DecompressionStream)
    throw new Error("This browser is too old to unpack the page; Chrome 80, Firefox 113 and Safari 16.4 can.");
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Whole numbers from planes of bytes; exact up to 2^53.
function readNumbers(bytes, offset, planes, count) {
  const numbers = planes <= 4 ? new Uint32Array(count) : new Float64Array(count);
  let factor = 1;
  for (let plane = 0; plane < planes; plane++) {
    const at = offset + plane * count;
    for (let i = 0; i < count; i++) numbers[i] += bytes[at + i] * factor;
    factor *= 256;
  }
  return numbers;
}

export function unfoldSign(number) {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

// { facts, columns }: a column of a single plane stays bytes.
export function readPage(bytes) {
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const columns = {};
  let offset = 4 + size;
  for (const [name, planes, count] of facts.columns) {
    columns[name] = planes === 1 ? bytes.subarray(offset, offset + count) : readNumbers(bytes, offset, planes, count);
    offset += planes * count;
  }
  return { facts, columns };
}

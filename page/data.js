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
    if (planes <= 4) for (let i = 0; i < count; i++) numbers[i] |= bytes[offset++] << 8 * plane;
    else for (let i = 0; i < count; i++) numbers[i] += bytes[offset++] * factor;
    factor *= 256;
  }
  return numbers;
}

export function unfoldSign(number) {
  return number & 1 ? -(number + 1) / 2 : number / 2;
}

// Indices of numbers, the largest first, equal ones in their order. Those that are not negative are in the order of their bits,
// of which each round takes sixteen.
export function orderByNumber(numbers) {
  const { length } = numbers;
  const words = new Uint16Array(numbers.buffer);
  const width = words.length / length;
  let order = Uint32Array.from(numbers.keys());
  for (let word = 0; word < width; word++) {
    const ends = new Uint32Array(65537);
    const next = new Uint32Array(length);
    for (let i = word; i < words.length; i += width) ends[words[i]]++;
    for (let i = 65535; i >= 0; i--) ends[i] += ends[i + 1];
    for (const i of order) next[ends[words[i * width + word] + 1]++] = i;
    order = next;
  }
  return order;
}

// The words in front, and where the columns begin.
export function readFacts(bytes) {
  const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
  return { facts: JSON.parse(new TextDecoder().decode(bytes.subarray(4, end))), end };
}

// { facts, columns }: a column is read when it is called for; that of a single plane stays bytes.
export function readPage(bytes) {
  let { facts, end } = readFacts(bytes);
  const columns = {};
  for (const [name, planes, count] of facts.columns) {
    const offset = end;
    columns[name] = () => (planes === 1 ? bytes.subarray(offset, offset + count) : readNumbers(bytes, offset, planes, count));
    end += planes * count;
  }
  return { facts, columns };
}

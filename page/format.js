// Numbers and durations as people read them, the same as the program has them (app/format.c).

export function formatCount(count) {
  return Math.round(count).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

// As C rounds: exactly what lies in the middle, to its even neighbour.
function isCut(exact, at) {
  return /[02468]\.?$/.test(exact.slice(0, at)) && /^50+$/.test(exact.slice(at));
}

function fixed(number, digits) {
  const exact = number.toFixed(60);
  const at = exact.length - 60 + digits;
  return isCut(exact, at) ? exact.slice(0, digits ? at : -61) : number.toFixed(digits);
}

// C's %.<digits>g.
function short(number, digits) {
  const [rounded, power] = number.toExponential(digits - 1).split("e");
  if (power >= -4 && power < digits) return String(+fixed(number, digits - 1 - power));
  const exact = number.toExponential(60);
  return +(isCut(exact.split("e")[0], digits + 1) ? exact.slice(0, digits + 1) : rounded) + "e" + power[0] + pad(power.slice(1));
}

function formatBytes(bytes) {
  let unit = -1;
  let number = bytes;
  while (unit < 5 && number >= (unit < 0 ? 1024 : 999.5)) {
    number /= 1024;
    unit++;
  }
  return unit < 0 ? bytes + " B" : fixed(number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0) + " " + "KMGTPE"[unit] + "iB";
}

export function formatShare(share) {
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  return percent >= 99.95 && percent < 100 ? "> 99.9 %" : fixed(percent, 1) + " %";
}

function pad(number) {
  return String(number).padStart(2, "0");
}

function formatDuration(ms) {
  if (ms < 1000) return short(ms, 4) + " ms";
  if (ms < 1e5) return short(ms / 1000, 3) + " s";
  const seconds = Math.floor(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 23) return formatCount(Math.floor(hours / 24)) + " d " + pad(hours % 24) + ":" + pad(minutes);
  if (hours > 0) return hours + ":" + pad(minutes) + ":" + pad(seconds % 60);
  return minutes + ":" + pad(seconds % 60) + "." + Math.floor(ms % 1000 / 100);
}

// A count of a metric, as its unit says it; a real metric's counts are scaled.
export function formatValue(metric, count) {
  const value = count / 2 ** metric.scale;
  if (Number.isNaN(value)) return "–";
  switch (metric.unit) {
    case "bytes": return formatBytes(Math.round(value));
    case "ratio": return formatShare(value);
    case "time": return formatDuration(value);
    default: return metric.real ? short(value, 6) : formatCount(value);
  }
}

export function formatGrowth(metric, count) {
  return (count > 0 ? "+" : count < 0 ? "−" : count === 0 ? "±" : "") + formatValue(metric, Math.abs(count));
}

// With what is counted: "33,000 objects".
export function formatCounted(metric, count) {
  const { key, title, unit } = metric;
  const what = key === "bytes" ? "" : key === "objects" ? (count === 1 ? " object" : " objects")
    : "bytes time ratio".includes(unit) ? " (" + title + ")" : " " + title;
  return formatValue(metric, count) + what;
}

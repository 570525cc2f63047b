// Numbers and times as people read them, the same as the program has them (app/format.c).

const DATE_MS = 1e12;

export function formatCount(count) {
  return Math.round(count).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function scaled(value, base, units, plain) {
  let unit = -1;
  let number = value;
  while (unit < 5 && number >= (unit < 0 ? base : 999.5)) {
    number /= base;
    unit++;
  }
  if (unit < 0) return Math.round(value) + plain;
  return number.toFixed(number < 9.995 ? 2 : number < 99.95 ? 1 : 0) + " " + units[unit];
}

export function formatShare(share) {
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  if (percent >= 99.95 && percent < 100) return "> 99.9 %";
  return percent.toFixed(1) + " %";
}

function pad(number, digits) {
  return String(number).padStart(digits, "0");
}

export function formatTime(ms) {
  if (ms >= DATE_MS) return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  const sign = ms < 0 ? "−" : "";
  const tenths = Math.round(Math.abs(ms) / 100);
  const seconds = Math.floor(tenths / 10);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 23) return sign + formatCount(Math.floor(hours / 24)) + " d " + pad(hours % 24, 2) + ":" + pad(minutes, 2);
  if (hours > 0) return sign + hours + ":" + pad(minutes, 2) + ":" + pad(seconds % 60, 2);
  return sign + minutes + ":" + pad(seconds % 60, 2) + "." + (tenths % 10);
}

// A count of a metric, as its unit says it; a real metric's counts are scaled.
export function formatValue(metric, count) {
  const value = count / 2 ** metric.scale;
  switch (metric.unit) {
    case "bytes": return scaled(value, 1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"], " B");
    case "ratio": return formatShare(value);
    case "time": return value >= 1000 ? (value / 1000).toPrecision(3) + " s" : +value.toPrecision(3) + " ms";
    default: return metric.scale === 0 ? formatCount(value) : String(+value.toPrecision(4));
  }
}

export function formatGrowth(metric, count) {
  if (count === 0) return "±0";
  return (count > 0 ? "+" : "−") + formatValue(metric, Math.abs(count));
}

// With what is counted: "33,000 objects".
export function formatCounted(metric, count) {
  return formatValue(metric, count) + (metric.key === "objects" ? (count === 1 ? " object" : " objects") : "");
}

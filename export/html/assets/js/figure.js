// Figures as text, by the rules of package export.

// plain returns a number as the page's data and the CSV print it.
const plain = (x) => {
  if (x === null || x === undefined) return "";
  const a = Math.abs(x);
  if (a !== 0 && (a < 1e-9 || a >= 1e15)) return x.toExponential();
  const s = String(x);
  if (!s.includes("e")) return s;
  const [digits, e] = a.toExponential().split("e");
  return (x < 0 ? "-" : "") + "0." + "0".repeat(-Number(e) - 1) + digits.replace(".", "");
};

// even returns text, a number rounded by the browser, which takes a tie away
// from zero; or the even neighbour, as the page's maker has it. long is the
// number with many more places, of which tail are behind those of text.
const even = (text, long, tail) => {
  const cut = long.length - tail;
  if (!/^50*$/.test(long.slice(cut))) return text;
  const down = long.slice(0, cut).replace(/\.$/, "");
  return Number(down[down.length - 1]) % 2 === 0 ? down : text;
};
const fixed = (x, d) => even(x.toFixed(d), x.toFixed(d + 40), 40);
const significant = (x, n) => {
  const [text, e] = x.toExponential(n - 1).split("e"), [long, same] = x.toExponential(n + 39).split("e");
  return plain(Number((e === same ? even(text, long, 40) : text) + "e" + e));
};

const decimals = (x, low, high) => {
  let d = 2 - Math.floor(Math.log10(Math.abs(x)));
  if (low !== null && high !== null && high > low) {
    d = Math.max(d - 1, 1 - Math.floor(Math.log10((high - low) / 2)));
  }
  return Math.min(Math.max(d, 0), 6);
};

const shownRatio = (x, low, high) => {
  if (x === null || x <= 0) return "";
  if (x < 0.001 || x >= 1e6) return significant(x, 3);
  return fixed(x, decimals(x, low, high));
};

const shownInterval = (low, high) => {
  if (low === null || high === null) return "";
  if (low > 0 && high / low > 100) return significant(low, 2) + " to " + significant(high, 2);
  if (low < 0.001 || high >= 1e6) return significant(low, 3) + " to " + significant(high, 3);
  const d = decimals(1, low, high);
  return fixed(low, d) + " to " + fixed(high, d);
};

// What rows and means show. The data were rounded before: where that tells, they
// have the text itself.
const ratioText = (r) => (r.f && r.f["r" + r.i]) ?? shownRatio(r.r, r.l, r.h);
const intervalText = (r) => (r.f && r.f["i" + r.i]) ?? shownInterval(r.l, r.h);
const pText = (r) => (r.f && r.f["p" + r.i]) ?? shownP(r.pa);

const shownP = (p) => (p === null ? "" : p < 0.0001 ? "<0.0001" : fixed(p, 4));

const plural = (n, what) => (n === 1 ? "1 " + what : n + " " + what + "s");

// A logarithmic scale of ratios, as in scale.go.
const maxSpan = 3;
const newScale = (list) => {
  let low = 1, high = 1;
  for (const e of list) if (e.r !== null && e.r > 0) { low = Math.min(low, e.r); high = Math.max(high, e.r); }
  const least = low / maxSpan, most = high * maxSpan;
  for (const e of list) {
    if (e.l !== null) low = Math.min(low, Math.max(e.l, least));
    if (e.h !== null) high = Math.max(high, Math.min(e.h, most));
  }
  if (high / low < 1.02) { low /= 1.01; high *= 1.01; }
  const a = Math.log(low), b = Math.log(high), pad = 0.06 * (b - a);
  return span(a - pad, b + pad);
};
const span = (low, high) => ({
  low, high,
  at: (x) => (x <= 0 ? 0 : Math.min(100, Math.max(0, (100 * (Math.log(x) - low)) / (high - low)))),
  off: (x) => (x <= 0 || Math.log(x) < low ? -1 : Math.log(x) > high ? 1 : 0),
});

// logTicks returns round numbers between the logarithms low and high.
const logTicks = (low, high, most = 7) => {
  const from = Math.exp(low), to = Math.exp(high);
  let list = [];
  if (to / from >= 4) {
    for (const steps of [[1, 2, 5], [1, 3], [1]]) {
      list = [];
      for (let e = Math.floor(low / Math.LN10); e <= Math.ceil(high / Math.LN10); e++) {
        for (const m of steps) {
          const x = Number(m + "e" + e);
          if (x >= from && x <= to) list.push(x);
        }
      }
      if (list.length <= most) break;
    }
    while (list.length > most) {
      const start = Math.max(0, list.indexOf(1)) % 2;
      list = list.filter((_, i) => i % 2 === start);
    }
    return list;
  }
  return linearTicks(from, to, most - 1);
};

const linearTicks = (from, to, most = 6) => {
  const step = Math.pow(10, Math.floor(Math.log10((to - from) / 2)));
  let list = [];
  for (const m of [1, 2, 5, 10]) {
    list = [];
    for (let k = Math.ceil(from / (step * m)); k * step * m <= to; k++) list.push(k * step * m);
    if (list.length <= most) break;
  }
  return list;
};

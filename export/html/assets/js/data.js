// The page's data, and the rows of the comparison in view.

const D = JSON.parse(document.getElementById("data").textContent);

// unpack returns a column as a list; see columns.go.
const unpack = (c) => {
  if (!c || Array.isArray(c)) return c;
  const list = [], runs = c.r || c.d;
  let x = 0;
  for (let i = 0; i < runs.length; i += 2) {
    for (let n = runs[i + 1]; n > 0; n--) {
      x = c.r ? runs[i] : x + runs[i];
      list.push(x);
    }
  }
  return list;
};
D.texts = D.texts.map((t) => unpack(t).map((i) => D.parts[i]).join(""));
for (const c of D.comparisons) {
  const columns = Object.entries(c.o).map(([name, list]) => [name, unpack(list)]);
  c.o = (unpack(c.o.x) || []).map((_, i) => {
    const o = Object.fromEntries(columns.map(([name, list]) => [name, list ? list[i] : null]));
    return { ...o, i, f: c.fo, reason: D.texts[o.q], why: D.texts[o.y2], left: D.texts[o.lt] };
  });
  c.d = unpack(c.d).map((i) => D.texts[i]);
  c.w = unpack(c.w).map((i) => D.texts[i]);
}

// Fields of a cell; see data.go.
const F = { system: 0, value: 1, se: 2, n: 3, problem: 4, noSE: 5, line: 6, column: 7, rule: 8, decode: 9, place: 10, low: 11, high: 12, letters: 13, runs: 14, series: 15, box: 16, notes: 17 };
const marks = ["", "~", "?"];
const certainty = ["exact", "inferred: the source leaves this reading as the plausible one", "ambiguous: the source leaves several readings"];

// optionsOf divides arguments ("Key: value - 12 Clients") as the page's maker
// does.
const optionsOf = (text) => text.split(" - ").flatMap((part) => {
  const cut = part.indexOf(": ");
  if (cut > 0) return [[part.slice(0, cut), part.slice(cut + 2)]];
  const bare = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) ([^ ]*)$/.exec(part);
  return bare && bare[2] ? [[bare[2], bare[1]]] : [];
});

D.tests.forEach((t, i) => {
  t.i = i;
  t.name = [t.t, t.v, t.a].filter(Boolean).join(" ");
  t.cells = new Map(t.c.map((c) => [c[F.system], c]));
  t.options = new Map(t.o || optionsOf(t.a || ""));
});

const cellOf = (test, system) => (test === undefined || system < 0 ? undefined : test.cells.get(system));
const valueOf = (c) => (c && !c[F.problem] && !c[F.series] && c[F.decode] !== 2 ? c[F.value] : "");
const numberOf = (c) => { const v = valueOf(c); return v === "" ? null : Number(v); };
const shownValue = (c) => {
  const text = c ? valueOf(c) || (c[F.series] ? plural(c[F.series].length, "point") : "") : "";
  return text ? text + marks[c[F.decode] || 0] : "none";
};
const better = (t) => (t.p === "HIB" ? "more is better" : t.p === "LIB" ? "less is better" : "better direction unknown");
const rankText = (c) => (!c || !c[F.place] ? "" : !c[F.low] || c[F.low] === c[F.high] ? String(c[F.place]) : `${c[F.place]} (${c[F.low]} to ${c[F.high]})`);

// provenance says where a cell was read, line by line.
const provenance = (c) => {
  if (!c) return [];
  const file = D.files[D.systems[c[F.system]].f];
  const list = [file + (c[F.line] ? `:${c[F.line]}:${c[F.column] || 0}` : "")];
  const rule = D.rules[c[F.rule] || 0];
  if (rule) list.push("rule " + rule);
  list.push(certainty[c[F.decode] || 0]);
  if (c[F.problem]) list.push(c[F.problem]);
  else if (c[F.noSE]) list.push(c[F.noSE]);
  return list.concat(c[F.notes] || []);
};

const reasonOf = (q) => D.texts[q];

// rowsOf returns the rows of a comparison, then the cells that it compares with
// nothing and nothing with.
const rowsOf = (c) => {
  if (c.rows) return c.rows;
  for (const k of ["t", "s", "bt", "bs", "x", "y", "a", "v", "n", "q"]) c[k] = unpack(c[k]);
  const column = (list, i) => (list ? list[i] : null);
  const bases = new Set(), seen = new Set();
  const key = (t, s) => t * D.systems.length + s;
  const rows = c.t.map((at, i) => {
    const test = D.tests[at], system = c.s[i];
    const baseTest = D.tests[c.bt ? c.bt[i] : at], baseSystem = c.bs ? c.bs[i] : c.b;
    bases.add(key(baseTest.i, baseSystem));
    seen.add(key(at, system));
    return {
      i, f: c.f, test, system, baseTest, baseSystem,
      cell: cellOf(test, system), base: cellOf(baseTest, baseSystem),
      name: D.names[c.y ? c.y[i] : system], baseName: D.names[c.x ? c.x[i] : baseSystem],
      arguments: c.a && c.a[i] >= 0 ? D.texts[c.a[i]] : test.a || "",
      r: column(c.r, i), l: column(c.l, i), h: column(c.h, i), p: column(c.p, i),
      pl: column(c.pl, i), ph: column(c.ph, i), pa: column(c.pa, i),
      verdict: c.v[i], runs: c.n ? c.n[i] : 0, q: c.q[i],
    };
  });
  for (const test of D.tests) {
    for (const cell of test.c) {
      const k = key(test.i, cell[F.system]);
      if (seen.has(k) || bases.has(k)) continue;
      rows.push({
        i: rows.length, test, system: cell[F.system], baseTest: undefined, baseSystem: -1, cell, base: undefined,
        name: D.systems[cell[F.system]].n, baseName: "", arguments: test.a || "",
        r: null, l: null, h: null, p: null, pl: null, ph: null, pa: null, verdict: -1, runs: 0, q: null,
      });
    }
  }
  c.rows = rows;
  c.byCell = new Map(rows.map((r) => [key(r.test.i, r.system), r]));
  c.isBase = (test, system) => bases.has(key(test.i, system));
  c.row = (test, system) => c.byCell.get(key(test.i, system));
  return rows;
};

const verdictWord = (v) => (v < 0 ? "not compared" : D.verdicts[v]);
const verdictSign = (v) => (v < 0 ? "" : D.signs[v]);

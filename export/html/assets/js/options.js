// What ECharts is told to draw.

const colors = () => {
  const css = getComputedStyle(document.documentElement);
  const of = (name) => css.getPropertyValue("--" + name).trim();
  return {
    text: of("text"), dim: of("dim"), line: of("line"), back: of("back"), base: of("base"),
    better: of("better"), worse: of("worse"), equivalent: of("same"), trivial: of("same"), undecided: of("open"), untestable: of("open"), "not compared": of("open"), baseline: of("base"),
    lines: [1, 2, 3, 4, 5, 6, 7].map((i) => of("line" + i)),
  };
};
const symbols = { better: "triangle", worse: "path://M0 0L10 0L5 9Z", equivalent: "rect", trivial: "diamond", baseline: "roundRect" };
const lineSymbols = ["circle", "triangle", "rect", "diamond", "emptyCircle", "emptyTriangle", "emptyRect", "emptyDiamond"];
const dashes = ["solid", "dashed", "dotted"];
// Without quotes: ECharts puts them into an attribute of an SVG as they are.
const font = "system-ui, Segoe UI, DejaVu Sans, sans-serif";

// bars of a chart: systems in published order, with the name of a group before
// its first.
const barsOf = (t) => {
  const c = comparison();
  const cells = t.c.filter((cell) => !S.hidden.has(cell[F.system]));
  const order = new Map();
  for (const cell of cells) {
    const g = D.systems[cell[F.system]].g || "";
    if (!order.has(g)) order.set(g, []);
    order.get(g).push(cell);
  }
  const list = [];
  for (const [g, members] of order) {
    if (g) list.push({ group: g, x: null, low: null, high: null, runs: [] });
    for (const cell of members) {
      const system = cell[F.system], row = rowsOf(c) && c.row(t, system);
      const isBase = !row && c.isBase(t, system);
      const s = D.systems[system];
      const b = { cell, system, row, isBase, label: g ? s.l : s.n, word: isBase ? "baseline" : verdictWord(row ? row.verdict : -1), runs: cell[F.runs] || [] };
      b.value = numberOf(cell);
      b.se = cell[F.se] ? Number(cell[F.se]) : null;
      if (S.mode === "ratio") {
        b.x = isBase ? (b.value > 0 ? 1 : null) : row ? row.r : null;
        b.low = row ? row.l : null;
        b.high = row ? row.h : null;
        b.runs = [];
        b.text = b.x === null ? "no ratio" : isBase ? innerWidth < 500 ? "1" : "1, baseline" : ratioText(row) + signOf(row);
      } else {
        b.x = b.value;
        b.low = b.se === null ? null : b.value - b.se;
        b.high = b.se === null ? null : b.value + b.se;
        b.text = shownValue(cell) + (b.se !== null ? " ± " + cell[F.se] : "") + (isBase ? (innerWidth < 500 ? "" : " baseline") : signOf(row));
      }
      if (cell[F.letters]) b.text += "  " + cell[F.letters];
      list.push(b);
    }
  }
  return list;
};

// signOf is the sign beside a figure; what cannot be tested has none.
const signOf = (row) => (row && verdictWord(row.verdict) !== "untestable" && verdictSign(row.verdict) ? " " + verdictSign(row.verdict) : "");

// baselineOf returns the value of the one baseline of a test, null where there
// is none, or where systems have different ones.
const baselineOf = (t) => {
  if (S.mode === "ratio") return 1;
  const c = comparison();
  const bases = new Set();
  rowsOf(c);
  for (const cell of t.c) {
    const row = c.row(t, cell[F.system]);
    if (row && row.baseTest) bases.add(row.baseTest.i + "/" + row.baseSystem);
  }
  if (bases.size !== 1) return null;
  const [test, system] = [...bases][0].split("/").map(Number);
  return numberOf(cellOf(D.tests[test], system));
};

const isLine = (t) => t.c.some((c) => c[F.series]);

const spoken = (t) => {
  if (isLine(t)) return `Lines and boxes of ${t.name}, ${t.s}: ` + t.c.filter((c) => c[F.series]).map((c) => `${D.systems[c[F.system]].n} median ${significant(c[F.box][2], 4)}`).join(", ");
  return `Chart of ${t.name}, ${S.mode === "ratio" ? "ratio to the baseline" : t.s + ", " + better(t)}: ` + barsOf(t).filter((b) => b.cell).map((b) => `${b.label} ${b.text}, ${b.word}`).join("; ");
};

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, size = 12) => { context.font = size + "px " + font; return context.measureText(text.slice(0, 400)).width; };
})();

// cut shortens a name in its middle to a width of two lines.
const cut = (text, width) => {
  if (measure(text) <= 1.85 * width) return text;
  let n = Math.min(text.length, 400);
  const short = () => text.slice(0, Math.ceil(n / 2)) + "…" + text.slice(text.length - Math.floor(n / 2));
  while (n > 4 && measure(short()) > 1.85 * width) n = Math.floor(n * 0.9);
  return short();
};

const chartHeight = (t) => {
  if (isLine(t)) return 330 + 30 * t.c.filter((c) => c[F.series] && !S.hidden.has(c[F.system])).length;
  return 62 + 32 * Math.max(1, barsOf(t).length);
};

const chartOption = (t, width, print) => (isLine(t) ? lineOption(t, width, print) : barOption(t, width, print));

const barOption = (t, width, print) => {
  const K = colors(), bars = barsOf(t), n = bars.length;
  const log = S.log, dots = log || S.mode === "ratio";
  const f = (x) => (log ? Math.log(x) : x);
  const fits = (x) => x !== null && Number.isFinite(x) && (!log || x > 0);
  const left = Math.min(Math.max(60, ...bars.map((b) => 1.04 * measure(b.group || b.label) + 18)), Math.max(90, 0.3 * width));
  const right = Math.min(Math.max(40, ...bars.map((b) => (b.cell ? 1.04 * measure(b.text) + 22 : 0))), 0.42 * width);
  const base = baselineOf(t);
  const points = [base, ...bars.flatMap((b) => [b.x, b.low, b.high, ...b.runs])].filter(fits);
  let low = Math.min(...points), high = Math.max(...points);
  if (!points.length) [low, high] = [0, 1];
  if (log) {
    // One wide interval must not squeeze the values.
    const values = [base, ...bars.map((b) => b.x)].filter(fits);
    low = Math.max(low, Math.min(...values) / 10);
    const room = Math.max(0.02, 0.06 * Math.log(high / low));
    [low, high] = [Math.log(low) - room, Math.log(high) + room];
  } else if (!dots) {
    [low, high] = [Math.min(0, low), Math.max(0, high)];
    if (high > 0) high *= 1.03;
    if (low < 0) low *= 1.03;
    if (low === high) high = 1;
  } else {
    const room = Math.max(0.01 * Math.abs(high), 0.08 * (high - low));
    [low, high] = [low - room, high + room];
  }
  const inner = width - left - right;
  const most = Math.max(3, Math.min(7, Math.floor(inner / 70)));
  const ticks = log ? logTicks(low, high, most).map(Math.log) : linearTicks(low, high, most);
  const label = (x) => significant(log ? Math.exp(x) : x, 6);
  const colorOf = (b) => K[b.word] || K.open;
  const series = [];
  if (!dots) {
    series.push({ type: "bar", barMaxWidth: 16, data: bars.map((b) => (b.cell && fits(b.x) ? { value: b.x, itemStyle: { color: colorOf(b), opacity: 0.85 } } : "-")), z: 2 });
  } else {
    series.push({ type: "scatter", symbolSize: 11, z: 4, data: bars.flatMap((b, i) => (b.cell && fits(b.x) ? [{ value: [f(b.x), i], name: String(i), symbol: symbols[b.word] || "circle", itemStyle: { color: colorOf(b) } }] : [])) });
  }
  const whiskers = bars.flatMap((b, i) => (b.cell && fits(b.x) && b.low !== null && b.high !== null ? [[Math.max(low, log && b.low <= 0 ? low : f(b.low)), f(b.high), i]] : []));
  series.push({
    type: "custom", z: 3, silent: true, data: whiskers, encode: { x: [0, 1], y: 2 },
    renderItem: (_, api) => {
      const a = api.coord([api.value(0), api.value(2)]), b = api.coord([api.value(1), api.value(2)]);
      const style = { stroke: K.text, lineWidth: 1.4, fill: null };
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
      return { type: "group", children: [line(a[0], a[1], b[0], b[1]), line(a[0], a[1] - 4, a[0], a[1] + 4), line(b[0], b[1] - 4, b[0], b[1] + 4)] };
    },
  });
  series.push({
    type: "scatter", z: 5, silent: true, symbol: "emptyCircle", symbolSize: 6, symbolOffset: [0, 7], itemStyle: { color: K.dim, borderColor: K.dim },
    data: bars.flatMap((b, i) => b.runs.filter(fits).map((x) => [f(x), i])),
  });
  if (base !== null && fits(base)) {
    series[0].markLine = { silent: true, symbol: "none", animation: false, label: { show: false }, lineStyle: { color: K.base, type: [5, 4], width: 1.5 }, data: [{ xAxis: f(base) }] };
  }
  const axisName = S.mode === "ratio" ? "ratio to the baseline, above 1 is better" : t.s + (t.s ? ", " : "") + better(t);
  const y = { type: "category", inverse: true, data: bars.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false }, splitLine: { show: false } };
  return {
    animation: false, textStyle: { fontFamily: font, color: K.text }, backgroundColor: print ? K.back : "transparent",
    grid: { left, right, top: 8, bottom: 48, containLabel: false },
    xAxis: {
      type: "value", min: low, max: high, name: axisName + (log ? " (log scale)" : ""), nameLocation: "middle", nameGap: 26, nameTextStyle: { color: K.dim, fontSize: 12 },
      axisLabel: { color: K.dim, customValues: ticks, formatter: label, showMinLabel: null, hideOverlap: true }, axisTick: { customValues: ticks }, splitLine: { show: false }, axisLine: { show: true, lineStyle: { color: K.line } },
    },
    yAxis: [
      { ...y, axisLabel: { interval: 0, color: K.text, fontSize: 12, lineHeight: 13, width: left - 10, overflow: "break", formatter: (_, i) => (bars[i].group ? "{g|" + plainRich(cut(bars[i].group, left - 10)) + "}" : plainRich(cut(bars[i].label, left - 10))), rich: { g: { fontWeight: "bold", color: K.text, fontSize: 12 } } } },
      { ...y, position: "right", axisLabel: { interval: 0, color: K.text, fontSize: 12, lineHeight: 13, width: right - 8, overflow: "break", formatter: (_, i) => (bars[i].cell ? plainRich(bars[i].text) : "") } },
    ],
    series,
  };
};

// plainRich keeps text from being read as marked-up text ("{a|b}").
const plainRich = (text) => text.replace(/[{}]/g, (b) => (b === "{" ? "(" : ")"));

const lineOption = (t, width, print) => {
  const K = colors();
  const cells = t.c.filter((c) => c[F.series] && !S.hidden.has(c[F.system]));
  const nameOf = (c) => plainRich(cut(D.systems[c[F.system]].n, 160));
  const left = Math.min(Math.max(64, ...cells.map((c) => measure(nameOf(c)) + 14)), Math.max(90, 0.3 * width));
  const type = S.log && cells.every((c) => c[F.box][0] > 0) ? "log" : "value";
  const boxes = 30 * cells.length + 20;
  const look = (i) => ({ color: K.lines[i % K.lines.length], type: dashes[Math.floor(i / K.lines.length) % dashes.length] });
  const most = Math.max(...cells.map((c) => c[F.series].length), 1);
  const axisStyle = { axisLabel: { color: K.dim, hideOverlap: true }, axisLine: { lineStyle: { color: K.line } }, splitLine: { lineStyle: { color: K.line, opacity: 0.5 } } };
  const scale = t.s + (t.s ? ", " : "") + better(t);
  return {
    animation: false, textStyle: { fontFamily: font, color: K.text }, backgroundColor: print ? K.back : "transparent",
    legend: { type: "scroll", top: 0, textStyle: { color: K.text }, data: cells.map((c, i) => ({ name: String(i) })), formatter: (i) => nameOf(cells[Number(i)]), pageTextStyle: { color: K.text } },
    grid: [{ left: 64, right: 16, top: 34, height: 190 }, { left, right: 16, top: 274, height: boxes }],
    xAxis: [
      { type: "value", gridIndex: 0, min: 1, max: Math.max(2, most), name: "point", nameLocation: "middle", nameGap: 24, nameTextStyle: { color: K.dim }, ...axisStyle, minInterval: 1 },
      { type, gridIndex: 1, scale: true, name: scale, nameLocation: "middle", nameGap: 26, nameTextStyle: { color: K.dim }, ...axisStyle },
    ],
    yAxis: [
      { type, gridIndex: 0, scale: true, ...axisStyle },
      { type: "category", gridIndex: 1, inverse: true, data: cells.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false }, axisLabel: { interval: 0, color: K.text, width: left - 10, overflow: "break", formatter: (_, i) => nameOf(cells[i]) } },
    ],
    series: [
      ...cells.map((c, i) => ({ type: "line", name: String(i), data: c[F.series].map((x, k) => [k + 1, x]), showSymbol: c[F.series].length <= 40, symbol: lineSymbols[i % lineSymbols.length], symbolSize: 6, sampling: "lttb", lineStyle: { ...look(i), width: 2 }, itemStyle: { color: look(i).color } })),
      { type: "boxplot", xAxisIndex: 1, yAxisIndex: 1, layout: "vertical", boxWidth: [6, 16], data: cells.map((c, i) => ({ value: c[F.box], itemStyle: { color: "transparent", borderColor: look(i).color, borderWidth: 1.6 } })) },
    ],
  };
};

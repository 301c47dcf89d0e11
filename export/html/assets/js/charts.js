// The charts, a card a test. A card is filled when it comes near the window;
// of charts that are far from it only so many stay drawn.

const C = { cards: new Map(), live: new Map(), order: [], waiting: new Set(), drawing: false };
const maxLive = 40, maxPrintedCharts = 250;
const paper = 690; // the width of a page of A4 or Letter, in pixels

let loading = null;
// library inflates ECharts and puts it in as the inline script whose hash the
// policy has.
const library = () => {
  loading ||= (async () => {
    const packed = byId("library").textContent, size = Number(byId("library").dataset.bytes), value = new Uint8Array(128);
    for (let i = 0; i < 85; i++) value[digits85.charCodeAt(i)] = i;
    const bytes = new DataView(new ArrayBuffer((packed.length / 5) * 4));
    for (let i = 0; i < packed.length; i += 5) {
      let x = 0;
      for (let k = 0; k < 5; k++) x = x * 85 + value[packed.charCodeAt(i + k)];
      bytes.setUint32((i / 5) * 4, x);
    }
    const code = await new Response(new Blob([bytes.buffer.slice(0, size)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
    if (!window.echarts) throw new Error("the chart library did not start");
    return window.echarts;
  })();
  return loading;
};

const watcher = new IntersectionObserver((entries) => {
  for (const e of entries) if (e.isIntersecting) fill(D.tests[Number(e.target.dataset.test)]);
}, { rootMargin: "500px 0px" });

const buildCards = () => {
  const box = byId("cards"), all = document.createDocumentFragment();
  for (const t of D.tests) {
    const card = el("article", { class: "card", id: "t" + t.i, "data-test": t.i, tabindex: "-1", "aria-labelledby": "h" + t.i }, el("h3", { id: "h" + t.i }, t.t + (t.v ? " " + t.v : "")));
    C.cards.set(t, card);
    all.append(card);
  }
  box.append(all);
  byId("charts").hidden = false;
};

// drawCharts shows the cards of tests, in their order, and draws again what
// was drawn.
const drawCharts = (tests) => {
  for (const t of [...C.live.keys()]) dispose(t);
  const same = tests.length === C.order.length && tests.every((t, i) => t === C.order[i]);
  for (const t of tests) {
    const card = C.cards.get(t);
    card.replaceChildren(card.firstChild);
    card.style.minHeight = chartHeight(t) + 120 + "px";
  }
  if (!same) {
    watcher.disconnect();
    byId("cards").replaceChildren(...tests.map((t) => C.cards.get(t)));
    C.order = tests;
  }
  C.waiting.clear();
  tests.forEach(again);
  byId("legend").replaceChildren(...legend());
};

const legend = () => {
  const words = ["better", "worse", "equivalent", "trivial", "undecided", "untestable"];
  const line = S.mode === "ratio" ? "Dots are ratios to the baseline with their 95 % intervals." : (S.log ? "Dots" : "Bars") + " are values with one standard error either way; small rings are single runs.";
  return [line + " The dashed line is the baseline. At the right: the figure, the verdict's sign, and the letters of systems that do not differ. ", el("span", { class: "key baseline" }, "┆ baseline "), ...words.map((w) => el("span", { class: "key" }, verdictMark(D.verdicts.indexOf(w))))];
};

const dispose = (t) => {
  C.live.get(t)?.dispose();
  C.live.delete(t);
};

const fill = (t) => {
  const card = C.cards.get(t);
  if (card.childElementCount > 1) { if (!C.live.has(t)) draw(t); return; }
  const height = chartHeight(t);
  const chart = el("div", { class: "chart", role: "img", "aria-label": spoken(t) });
  chart.style.height = height + "px";
  card.append(
    t.a ? el("p", { class: "args" }, t.a) : "",
    chart,
    ...(t.n || []).map((n) => el("p", { class: "dim foot" }, n)),
    el("div", { class: "tools" },
      el("button", { type: "button", on: { click: () => savePNG(t) }, "aria-label": "Save the chart as PNG: " + t.t }, "PNG"),
      el("button", { type: "button", on: { click: () => saveSVG(t) }, "aria-label": "Save the chart as SVG: " + t.t }, "SVG")),
    valuesOf(t),
  );
  card.style.minHeight = "";
  draw(t);
};

// draw draws a chart soon: those wait that are near the window, the nearest
// first, and a frame gets few of them, so that scrolling does not stop.
const draw = (t) => {
  C.waiting.add(t);
  if (C.drawing) return;
  C.drawing = true;
  library().then(() => requestAnimationFrame(drawSome), (e) => {
    C.drawing = false;
    for (const t of C.waiting) C.cards.get(t).querySelector(".chart").textContent = "The chart cannot be drawn in this browser (" + e.message + "); the values are below.";
    C.waiting.clear();
  });
};

const drawSome = () => {
  const until = performance.now() + 12;
  const list = [...C.waiting].map((t) => [away(t), t]).sort((a, b) => a[0] - b[0]);
  for (const [far, t] of list) {
    if (performance.now() > until) break;
    C.waiting.delete(t);
    if (far > 1500) again(t); else drawNow(t);
  }
  C.drawing = C.waiting.size > 0;
  if (C.drawing) requestAnimationFrame(drawSome);
};

// away is how far a card is from the window; again fills it when it comes back.
const away = (t) => { const b = C.cards.get(t).getBoundingClientRect(); return Math.max(b.top - innerHeight, -b.bottom); };
const again = (t) => { watcher.unobserve(C.cards.get(t)); watcher.observe(C.cards.get(t)); };

const drawNow = (t) => {
  const box = C.cards.get(t).querySelector(".chart");
  if (!box || !box.isConnected || C.live.has(t)) return;
  box.style.width = T.all ? paper + "px" : "";
  const chart = window.echarts.init(box, null, { renderer: "canvas", devicePixelRatio: Math.max(2, window.devicePixelRatio) });
  C.live.set(t, chart);
  chart.setOption(chartOption(t, chart.getWidth()));
  chart.on("mouseover", (p) => {
    const b = isLine(t) ? null : barsOf(t)[Number(p.name)];
    if (b && b.cell && p.event) tip.show([`${b.label}: ${b.text}`, b.word, ...provenance(b.cell)], p.event.event.clientX, p.event.event.clientY);
  });
  chart.on("mouseout", tip.hide);
  if (!T.all) trim();
};

// trim lets go of the charts that are farthest from the window.
const trim = () => {
  if (C.live.size <= maxLive) return;
  const far = [...C.live.keys()].sort((a, b) => away(b) - away(a));
  for (const t of far.slice(0, C.live.size - maxLive)) {
    if (away(t) < 600) break;
    dispose(t);
    again(t);
  }
};

// valuesOf is the chart as a table, with where each value was read.
const valuesOf = (t) => {
  const c = comparison();
  rowsOf(c);
  const box = el("details", { class: "values" }, el("summary", {}, "Values, and where they were read"));
  box.addEventListener("toggle", () => {
    if (!box.open || box.childElementCount > 1) return;
    const rows = t.c.filter((cell) => !S.hidden.has(cell[F.system])).map((cell) => {
      const r = c.row(t, cell[F.system]), isBase = !r && c.isBase(t, cell[F.system]);
      return el("tr", {}, el("th", { scope: "row" }, el("span", { class: "lines" }, D.systems[cell[F.system]].n)), el("td", { class: "num" }, shownValue(cell)), el("td", { class: "num" }, cell[F.se] || ""), el("td", { class: "num" }, cell[F.n] ? String(cell[F.n]) : ""),
        el("td", { class: "num" }, r ? ratioText(r) : ""), el("td", { class: "num" }, r ? intervalText(r) : ""), el("td", { class: "num" }, r ? pText(r) : ""),
        el("td", {}, isBase ? "baseline" : verdictMark(r ? r.verdict : -1), r && r.q !== null && reasonOf(r.q) ? el("span", { class: "why" }, reasonOf(r.q)) : ""), el("td", { class: "num" }, rankText(cell)), el("td", {}, cell[F.letters] || ""), el("td", {}, el("span", { class: "read" }, provenance(cell).join(", "))));
    });
    box.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values of " + t.t }, el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, ...["System", "Value", "± SE", "N", "Ratio", "95 % interval", "Adj. p", "Verdict", "Rank", "Letters", "Read at"].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, ...rows))));
  });
  return box;
};

const toCard = (t) => {
  const card = C.cards.get(t);
  if (!card.isConnected) return;
  fill(t);
  card.scrollIntoView({ block: "start" });
  card.focus({ preventScroll: true });
};

const resizeCharts = () => {
  for (const [t, chart] of C.live) {
    const box = C.cards.get(t).querySelector(".chart");
    box.style.width = T.all ? paper + "px" : "";
    if (box.clientWidth === chart.getWidth()) continue;
    chart.resize();
    chart.setOption(chartOption(t, box.clientWidth), true);
  }
};

// Saving what is shown.

const save = (name, type, content) => {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const a = el("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

const fileName = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "chart";

// guard keeps text from being a formula, as in the CSV of the command.
const guard = (text) => (/^[=+\-@\t\r]/.test(text) ? "'" + text : text);
const isFigure = (text) => /^[+-]?(nan|inf|infinity)$/i.test(text) || /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
const guardFigure = (text) => (text.split(/[;,]/).every((x) => x.trim() === "" || isFigure(x.trim())) ? text : guard(text));
const quoted = (text) => (/^[\s]|[",\r\n]/.test(text) || text === "\\." ? '"' + text.replace(/"/g, '""') + '"' : text);

const csvText = () => {
  const c = comparison(), lines = [D.columns.map((k) => k.n)];
  const verdict = (v) => (v < 0 ? "" : D.verdicts[v]);
  for (const r of T.rows) {
    const t = r.test;
    lines.push([t.t, t.v || "", r.arguments, t.s, t.p || "", r.baseName, r.name, valueOf(r.base), valueOf(r.cell),
      plain(r.r), plain(r.l), plain(r.h), plain(r.p), plain(r.pl), plain(r.ph), plain(r.pa), verdict(r.verdict), r.runs ? String(r.runs) : "", r.q === null ? "" : reasonOf(r.q)]);
  }
  // The means are over all tests: they belong to no part of them.
  if (!filtered()) {
    for (const o of c.o) {
      if (S.hidden.has(o.s)) continue;
      lines.push(["OVERALL", "", "", "", "", D.names[o.x], D.names[o.y], "", "", plain(o.r), plain(o.l), plain(o.h), plain(o.p), "", "", plain(o.pa), verdict(o.v), "", o.reason]);
    }
  }
  return lines.map((line, i) => line.map((cell, k) => quoted(i === 0 ? cell : D.columns[k].t ? guard(cell) : guardFigure(cell))).join(",")).join("\n") + "\n";
};

const saveCSV = () => save("benchproof.csv", "text/csv;charset=utf-8", csvText());

// picture makes a chart with its title, in the colours of the page.
const picture = (echarts, t, renderer) => {
  const width = 900, lines = [t.t + (t.v ? " " + t.v : ""), ...wrap(t.a || "", 110)].slice(0, 4);
  const top = 22 * lines.length + 14, option = chartOption(t, width, true);
  for (const g of [option.grid].flat()) g.top += top;
  if (option.legend) option.legend.top = top - 6;
  option.title = { text: plainRich(cut(lines[0], 420)), subtext: lines.slice(1).map(plainRich).join("\n"), left: 8, top: 6, textStyle: { fontSize: 15, color: colors().text }, subtextStyle: { color: colors().dim, lineHeight: 18 } };
  const size = { width, height: chartHeight(t) + top };
  const box = document.createElement("div");
  const chart = renderer === "svg" ? echarts.init(null, null, { renderer, ssr: true, ...size }) : echarts.init(box, null, { renderer, devicePixelRatio: 2, ...size });
  chart.setOption(option);
  return chart;
};

const wrap = (text, width) => {
  const lines = [];
  for (const word of text.split(" ")) {
    if (lines.length && (lines[lines.length - 1] + " " + word).length <= width) lines[lines.length - 1] += " " + word;
    else if (word) lines.push(word.slice(0, width));
  }
  return lines;
};

const savePNG = async (t) => {
  const chart = picture(await library(), t, "canvas");
  chart.getZr().flush();
  const data = chart.getDataURL({ type: "png", pixelRatio: 2 });
  chart.dispose();
  const raw = atob(data.slice(data.indexOf(",") + 1)), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  save(fileName(t.name) + ".png", "image/png", new Blob([bytes], { type: "image/png" }));
};

const saveSVG = async (t) => {
  const chart = picture(await library(), t, "svg");
  const text = chart.renderToSVGString();
  chart.dispose();
  save(fileName(t.name) + ".svg", "image/svg+xml", text);
};

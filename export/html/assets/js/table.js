// The table of all rows. Only those in view are elements; while the page
// prints, all are.

const columns = [
  ["test", "Test"], ["system", "System"], ["baseline", "Baseline", "num"], ["value", "Value ± SE", "num"], ["ratio", "Ratio (95 % interval)", "num"],
  ["change", "Worse ← 1 → better", "wide"], ["p", "Adj. p", "num"], ["verdict", "Verdict"], ["rank", "Rank", "num"],
];
const maxPrinted = 5000;

const T = { rows: [], from: -1, to: -1, all: false };

const buildTable = () => {
  const head = el("tr", { role: "row", "aria-rowindex": "1" }, ...columns.map(([key, label, kind]) => el("th", { scope: "col", role: "columnheader", class: "c-" + key + (kind ? " " + kind : ""), "data-key": key },
    el("button", { type: "button", class: "sort", on: { click: () => sortBy(key) } }, label, el("span", { class: "arrow", "aria-hidden": "true" })))));
  T.body = el("tbody", { role: "rowgroup" });
  T.table = el("table", { class: "rows", role: "table", "aria-label": "Rows of the comparison" }, el("thead", { role: "rowgroup" }, head), T.body);
  T.box = el("div", { class: "rows-box", tabindex: "0", role: "region", "aria-label": "All tests, scrollable" }, T.table);
  T.box.addEventListener("scroll", () => requestAnimationFrame(() => drawRows()), { passive: true });
  T.count = el("p", { class: "count", role: "status" });
  byId("table").append(T.filters = el("form", { class: "filters", "aria-label": "Filters" }), T.count, T.box);
  byId("table").hidden = false;
  matchMedia("screen and (max-width: 760px)").addEventListener("change", () => drawRows(true));
};

const sortBy = (key) => {
  if (S.sort !== key) { S.sort = key; S.down = key === "ratio"; }
  else if (S.down === (key === "ratio")) S.down = !S.down;
  else { S.sort = ""; S.down = false; }
  update();
};

const rowHeight = () => (matchMedia("screen and (max-width: 760px)").matches ? 168 : 76);

const drawTable = (rows) => {
  T.rows = rows;
  const c = comparison();
  T.several = Boolean(c.x || c.bs);
  T.scale = newScale(rows.filter((r) => r.r !== null).map((r) => ({ r: Math.min(20, Math.max(0.05, r.r)), l: null, h: null })));
  for (const th of T.table.tHead.rows[0].cells) {
    const on = th.dataset.key === S.sort;
    th.setAttribute("aria-sort", on ? (S.down ? "descending" : "ascending") : "none");
    th.querySelector(".arrow").textContent = on ? (S.down ? " ▾" : " ▴") : "";
  }
  T.table.setAttribute("aria-rowcount", rows.length + 1);
  T.count.textContent = `${plural(rows.length, "row")} of ${rowsOf(comparison()).length}, of ${plural(new Set(rows.map((r) => r.test)).size, "test")}`;
  T.box.classList.toggle("short", rows.length * rowHeight() < 560);
  T.box.scrollTop = 0;
  drawRows(true);
};

const drawRows = (force) => {
  const h = rowHeight(), n = T.rows.length;
  let from = 0, to = Math.min(n, maxPrinted);
  if (!T.all) {
    const above = Math.floor(T.box.scrollTop / h);
    from = Math.max(0, above - 6);
    to = Math.min(n, above + Math.ceil((T.box.clientHeight || 600) / h) + 6);
  }
  if (!force && from === T.from && to === T.to) return;
  const had = document.activeElement && T.body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.row : null;
  T.from = from;
  T.to = to;
  const gap = (rows) => { const tr = el("tr", { class: "gap", "aria-hidden": "true" }, el("td", { colspan: columns.length })); tr.firstChild.style.height = rows * h + "px"; return tr; };
  const list = [];
  if (from > 0) list.push(gap(from));
  for (let i = from; i < to; i++) list.push(tableRow(T.rows[i], i));
  if (to < n && !T.all) list.push(gap(n - to));
  if (!n) list.push(el("tr", { role: "row" }, el("td", { role: "cell", colspan: columns.length }, "No row is left by the filters.")));
  if (T.all && to < n) list.push(el("tr", {}, el("td", { colspan: columns.length }, `and ${n - to} more rows, which are not printed`)));
  T.body.replaceChildren(...list);
  if (had !== null) T.body.querySelector(`tr[data-row="${had}"] button, tr[data-row="${had}"] a`)?.focus({ preventScroll: true });
};

const tableRow = (r, i) => {
  const cell = (key, kind, ...children) => el("td", { role: "cell", class: "c-" + key + (kind ? " " + kind : "") }, ...children);
  const t = r.test, se = r.cell && r.cell[F.se];
  const reason = r.q === null ? "" : reasonOf(r.q);
  const about = () => [...(reason ? [reason] : []), ...(r.runs ? [`${r.runs} runs a side would decide it`] : [])];
  const verdict = verdictMark(r.verdict);
  return el("tr", { role: "row", "aria-rowindex": i + 2, "data-row": r.i },
    cell("test", "", el("a", { href: "#t" + t.i, title: t.name, on: { click: (e) => { e.preventDefault(); toCard(t); } } }, el("b", {}, t.t + (t.v ? " " + t.v : ""))), el("span", { class: "args", title: t.a }, (r.arguments !== (t.a || "") ? r.arguments : t.w || "") || " "), el("span", { class: "unit" }, `${t.s}${t.s ? ", " : ""}${better(t)}`)),
    cell("system", "", el("span", { class: "clip", title: r.name }, r.name)),
    cell("baseline", "num", r.base || r.baseName ? withTip(shownValue(r.base), () => [r.baseName, ...provenance(r.base)], `Baseline ${shownValue(r.base)}`) : "", T.several && r.baseName ? el("span", { class: "unit", title: r.baseName }, r.baseName) : ""),
    cell("value", "num", withTip(shownValue(r.cell), () => [r.name, ...provenance(r.cell)], `Value ${shownValue(r.cell)}`), se ? el("span", { class: "se" }, ` ± ${se}`) : ""),
    cell("ratio", "num", el("span", { class: "ratio" }, ratioText(r)), r.l !== null ? el("span", { class: "interval" }, intervalText(r)) : ""),
    cell("change", "wide", plot(T.scale, r)),
    cell("p", "num", pText(r)),
    cell("verdict", "", about().length ? withTip(verdict, about) : verdict),
    cell("rank", "num", rankText(r.cell), r.cell && r.cell[F.letters] ? el("span", { class: "letters" }, " " + r.cell[F.letters]) : ""));
};

// The part that changes with the baseline above the tests.

const drawSummary = () => {
  const c = comparison();
  const bold = (text) => el("b", {}, text);
  byId("basis").replaceChildren("Baseline: ", bold(c.baseline || "none"), ". A ratio above 1 is better than the baseline, whether more or less is better. ",
    `Intervals at 95 %; ${c.family}; margin of equality ${significant(100 * D.margin, 3)} %.`);
  const list = [...c.w];
  if (D.left_out) list.push(plural(D.left_out, "further baseline") + " left out of this page for its size: give one with --baseline");
  for (const text of rankWarnings) if (!list.includes(text)) list.push(text);
  byId("warnings").replaceChildren(...list.map((t) => el("li", {}, t)));
  const residue = byId("residue");
  residue.hidden = !c.d.length;
  residue.querySelector("ul").replaceChildren(...c.d.map((t) => el("li", {}, t)));

  const rows = c.o.filter((o) => !S.hidden.has(o.s)).map((o) => ({ ...o, verdict: o.v }));
  const scale = newScale(rows);
  const table = byId("overall"), several = c.o.some((o) => o.x !== c.o[0].x);
  table.tBodies[0].replaceChildren(...rows.map((o) => el("tr", {},
    el("th", { scope: "row" }, el("span", { class: "lines" }, D.names[o.y], several && o.x !== c.o[0].x ? el("span", { class: "dim" }, " against " + D.names[o.x]) : "")),
    el("td", { class: "num" }, ratioText(o)),
    el("td", { class: "num" }, intervalText(o)),
    el("td", { class: "wide" }, plot(scale, o)),
    el("td", { class: "num" }, o.bp),
    el("td", { class: "num" }, String(o.n)),
    el("td", {}, el("span", { class: "wins" }, o.w + o.e + o.lo ? `${o.w} / ${o.e} / ${o.lo}` : "none tested"), shares(o)),
    el("td", {}, verdictMark(o.v), whyOf(o) ? el("span", { class: "why" }, whyOf(o)) : "", o.left ? el("span", { class: "why" }, o.left) : ""),
  )));
  table.tFoot.querySelector(".wide").replaceChildren(axis(scale));
  table.hidden = !c.o.length;
};

const whyOf = (o) => o.why || (o.r === null ? o.reason : "");

const shares = (o) => {
  const total = o.w + o.e + o.lo;
  if (!total) return "";
  const out = svg("svg", { class: "shares", width: "100%", height: 8, "aria-hidden": "true" });
  let x = 0;
  for (const [n, name] of [[o.w, "better"], [o.e, "even"], [o.lo, "worse"]]) {
    const width = (100 * n) / total;
    if (n) out.append(svg("rect", { class: name, x: percent(x), width: percent(width), y: 0, height: 8 }));
    x += width;
  }
  return out;
};

// The warnings of the ranking stay, those of the comparison change.
const rankWarnings = [...byId("warnings").children].map((li) => li.textContent).filter((t) => !D.comparisons[0].w.includes(t));

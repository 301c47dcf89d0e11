// The form of choices above the summary, and the filters above the table.

const picks = {};

const choose = (label, node) => el("label", {}, el("span", {}, label), node);

const buildControls = () => {
  const form = byId("choices");
  form.addEventListener("submit", (e) => e.preventDefault());
  picks.base = el("select", { id: "baseline", on: { change: () => { S.base = picks.base.value; update(); } } }, ...D.comparisons.map((c) => el("option", { value: c.name }, c.name)));
  picks.mode = el("select", { id: "mode", on: { change: () => { S.mode = picks.mode.value; update(); } } }, el("option", { value: "absolute" }, "values"), el("option", { value: "ratio" }, "ratios to the baseline"));
  picks.log = el("input", { type: "checkbox", id: "log", on: { change: () => { S.log = picks.log.checked; update(); } } });
  picks.systems = D.systems.map((s, i) => el("input", { type: "checkbox", "data-system": i, on: { change: (e) => { e.target.checked ? S.hidden.delete(i) : S.hidden.add(i); update(); } } }));
  const all = (hide) => el("button", { type: "button", on: { click: () => { S.hidden = new Set(hide ? D.systems.keys() : []); update(); } } }, hide ? "Hide all" : "Show all");
  picks.shown = el("summary", {}, "");
  form.append(
    choose(D.by ? "Baseline (" + D.by + ")" : "Baseline", picks.base), choose("Charts show", picks.mode),
    el("label", { class: "check" }, picks.log, el("span", {}, "log scale in charts")),
    el("details", { class: "shown" }, picks.shown, el("div", { class: "pick", role: "group", "aria-label": "Systems shown" }, all(false), all(true), ...D.systems.map((s, i) => el("label", { class: "check" }, picks.systems[i], el("span", {}, s.n))))),
    el("button", { type: "button", id: "reset", on: { click: () => { S = initial(); update(); } } }, "Reset"),
  );
  form.hidden = false;
  buildFilters();
};

const buildFilters = () => {
  T.filters.addEventListener("submit", (e) => e.preventDefault());
  let wait = 0;
  picks.search = el("input", { type: "search", id: "search", autocomplete: "off", on: { input: () => { clearTimeout(wait); wait = setTimeout(() => { S.search = picks.search.value.trim(); update(); }, 120); } } });
  picks.profile = el("select", { id: "profile", on: { change: () => { S.profile = picks.profile.value; update(); } } }, el("option", { value: "" }, "all"), ...D.profiles.map((p) => el("option", { value: p }, p)));
  const axes = new Map();
  for (const t of D.tests) for (const [k, v] of t.options) { if (!axes.has(k)) axes.set(k, new Set()); axes.get(k).add(v); }
  const most = 200;
  picks.option = el("select", { id: "option", on: { change: () => { S.option = picks.option.value; update(); } } }, el("option", { value: "" }, "all"),
    ...[...axes].filter(([, values]) => values.size > 1).map(([k, values]) => el("optgroup", { label: k }, ...[...values].sort(collator.compare).slice(0, most).map((v) => el("option", { value: k + ": " + v }, k + ": " + v)))));
  picks.verdicts = D.verdicts.map((w, i) => el("button", { type: "button", class: "chip " + w, "aria-pressed": "false", "data-verdict": w, on: { click: () => { S.verdicts.has(i) ? S.verdicts.delete(i) : S.verdicts.add(i); update(); } } }));
  T.filters.append(choose("Search", picks.search), choose("Profile", picks.profile), picks.option.childElementCount > 1 ? choose("Option", picks.option) : "",
    el("div", { class: "chips", role: "group", "aria-label": "Verdicts shown" }, ...picks.verdicts),
    el("button", { type: "button", id: "csv", on: { click: saveCSV } }, "Save as CSV"));
};

// showControls sets the controls to the state.
const showControls = () => {
  picks.base.value = S.base;
  picks.mode.value = S.mode;
  picks.log.checked = S.log;
  picks.systems.forEach((box, i) => { box.checked = !S.hidden.has(i); });
  picks.shown.textContent = `Systems: ${D.systems.length - S.hidden.size} of ${D.systems.length} shown`;
  if (picks.search.value.trim() !== S.search) picks.search.value = S.search;
  picks.profile.value = S.profile;
  picks.option.value = S.option;
  if (picks.option.value !== S.option) S.option = picks.option.value = "";
  const counts = D.verdicts.map(() => 0);
  for (const r of rowsOf(comparison())) if (r.verdict >= 0 && !S.hidden.has(r.system)) counts[r.verdict]++;
  picks.verdicts.forEach((chip, i) => {
    chip.setAttribute("aria-pressed", String(S.verdicts.has(i)));
    chip.textContent = `${D.signs[i]} ${D.verdicts[i]} ${counts[i]}`;
    chip.hidden = !counts[i] && !S.verdicts.has(i);
  });
};

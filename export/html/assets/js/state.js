// What the reader has chosen. The address holds all of it that is not as the
// page begins, so that it can be sent on.

const initial = () => ({
  base: D.comparisons[0].name, mode: "absolute", log: false, hidden: new Set(),
  search: "", profile: "", verdicts: new Set(), option: "", sort: "", down: false,
});
let S = initial();

const comparison = () => D.comparisons.find((c) => c.name === S.base) || D.comparisons[0];

const toHash = () => {
  const p = new URLSearchParams(), start = initial();
  if (S.base !== start.base) p.set("baseline", S.base);
  if (S.mode !== start.mode) p.set("mode", S.mode);
  if (S.log) p.set("log", "1");
  if (S.hidden.size) p.set("hide", [...S.hidden].sort((a, b) => a - b).join(","));
  if (S.search) p.set("search", S.search);
  if (S.profile) p.set("profile", S.profile);
  if (S.verdicts.size) p.set("verdict", [...S.verdicts].map(verdictWord).join(","));
  if (S.option) p.set("option", S.option);
  if (S.sort) p.set("sort", (S.down ? "-" : "") + S.sort);
  const text = p.toString();
  return text ? "#?" + text : "";
};

// fromHash takes over a choice. What it does not know it leaves as the page
// begins: the address may come from another page.
const fromHash = () => {
  S = initial();
  if (!location.hash.startsWith("#?")) return;
  const p = new URLSearchParams(location.hash.slice(2));
  const base = p.get("baseline");
  if (D.comparisons.some((c) => c.name === base)) S.base = base;
  if (p.get("mode") === "ratio") S.mode = "ratio";
  S.log = p.get("log") === "1";
  for (const n of (p.get("hide") || "").split(",")) {
    if (/^\d+$/.test(n) && Number(n) < D.systems.length) S.hidden.add(Number(n));
  }
  S.search = p.get("search") || "";
  if (D.profiles.includes(p.get("profile"))) S.profile = p.get("profile");
  for (const w of (p.get("verdict") || "").split(",")) {
    if (D.verdicts.includes(w)) S.verdicts.add(D.verdicts.indexOf(w));
  }
  S.option = p.get("option") || "";
  const sort = p.get("sort") || "", key = sort.replace(/^-/, "");
  if (key in orders) { S.sort = key; S.down = sort.startsWith("-"); }
};

const keep = () => {
  const hash = toHash();
  if (hash === location.hash) return;
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    location.replace(hash || "#");
  }
};

// Orders of the table's rows: what is compared. Rows without it come last.
const collator = new Intl.Collator("en", { numeric: true });
const orders = {
  test: (r) => r.test.name,
  system: (r) => r.name,
  baseline: (r) => numberOf(r.base),
  value: (r) => numberOf(r.cell),
  ratio: (r) => r.r,
  change: (r) => (r.r === null ? null : -Math.abs(Math.log(r.r))),
  p: (r) => r.pa,
  verdict: (r) => (r.verdict < 0 ? null : r.verdict),
  rank: (r) => (r.cell && r.cell[F.place]) || null,
};

const chosenRows = () => {
  const c = comparison();
  const words = S.search.toLowerCase().split(/\s+/).filter(Boolean);
  const cut = S.option.indexOf(": ");
  const key = S.option.slice(0, cut), value = S.option.slice(cut + 2);
  const rows = rowsOf(c).filter((r) => {
    if (S.hidden.has(r.system)) return false;
    if (S.profile && D.profiles[r.test.k] !== S.profile) return false;
    if (S.verdicts.size && !S.verdicts.has(r.verdict)) return false;
    if (S.option && r.test.options.get(key) !== value) return false;
    if (!words.length) return true;
    const text = (r.test.name + " " + (r.test.pr || "") + " " + r.name + " " + r.test.s).toLowerCase();
    return words.every((w) => text.includes(w));
  });
  if (!S.sort) return rows;
  const of = orders[S.sort], sign = S.down ? -1 : 1;
  const keyed = rows.map((r) => [of(r), r]);
  keyed.sort(([a, x], [b, y]) => {
    if (a === null || b === null) return (a === null) - (b === null) || x.i - y.i;
    const d = typeof a === "string" ? collator.compare(a, b) : a - b;
    return sign * d || x.i - y.i;
  });
  return keyed.map(([, r]) => r);
};

// chosenTests returns the tests of rows, in their order; without a filter all.
const filtered = () => S.search || S.profile || S.verdicts.size || S.option;
const chosenTests = (rows) => {
  const tests = new Set(rows.map((r) => r.test));
  if (!filtered()) for (const t of D.tests) tests.add(t);
  return [...tests];
};

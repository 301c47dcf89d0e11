// The page as a whole.

// update shows the state everywhere, and keeps it in the address.
const update = () => {
  showControls();
  keep();
  const rows = chosenRows();
  drawSummary();
  drawTable(rows);
  drawCharts(chosenTests(rows));
};

const start = () => {
  for (const e of document.querySelectorAll("nav .js")) e.hidden = false;
  for (const a of document.querySelectorAll("nav a, a.skip")) {
    // The address holds the choices: moving about the page leaves it alone.
    a.addEventListener("click", (e) => {
      e.preventDefault();
      const to = document.querySelector(a.getAttribute("href"));
      to.tabIndex = -1;
      to.scrollIntoView();
      to.focus({ preventScroll: true });
    });
  }
  fromHash();
  buildTable();
  buildControls();
  buildCards();
  update();
  addEventListener("hashchange", () => { if (location.hash !== toHash()) { fromHash(); update(); } });
  let wait = 0;
  addEventListener("resize", () => { clearTimeout(wait); wait = setTimeout(() => { drawRows(true); resizeCharts(); }, 100); });
  addEventListener("keydown", (e) => { if (e.key === "Escape") tip.hide(); });
  addEventListener("scroll", tip.moved, { passive: true, capture: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
  // Printing must find it ready.
  (window.requestIdleCallback || setTimeout)(() => library().catch(() => {}));
};

const redraw = () => {
  for (const [t, chart] of C.live) chart.setOption(chartOption(t, chart.getWidth()), true);
};

// printing puts all rows on paper, and the charts up to a number.
const printing = (on) => {
  T.all = on;
  // Charts are drawn before the style of print holds: paper is light.
  document.documentElement.classList.toggle("printing", on);
  drawRows(true);
  showFolded(on);
  const left = on ? Math.max(0, C.order.length - maxPrintedCharts) : 0;
  byId("unprinted").textContent = on && !window.echarts ? "The charts were not drawn yet when this was printed." : left ? `The charts of ${left} more tests are not printed: filters choose which are.` : "";
  for (const t of C.order.slice(maxPrintedCharts)) C.cards.get(t).hidden = on;
  if (on && window.echarts) {
    C.order.slice(0, maxPrintedCharts).forEach((t) => { fill(t); drawNow(t); });
    resizeCharts();
    redraw();
  } else if (!on) {
    trim();
    resizeCharts();
    redraw();
  }
};

// showFolded opens what is folded away on a screen and belongs on paper, and
// folds it away again.
const showFolded = (on) => {
  for (const e of document.querySelectorAll(on ? "#compared details:not([open]), #summary > details:not([open]), #findings details:not([open])" : "details.unfolded")) {
    e.open = on;
    e.classList.toggle("unfolded", on);
  }
};

start();

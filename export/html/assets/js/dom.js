// Making elements. Text is only ever set as text.

const el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k === "on") for (const [event, f] of Object.entries(v)) e.addEventListener(event, f);
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return e;
};

const svg = (tag, attributes, ...children) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  e.append(...children);
  return e;
};

const byId = (id) => document.getElementById(id);
const percent = (x) => x.toFixed(2) + "%";

const shapes = {
  better: "M0-6L6 5H-6Z", worse: "M0 6L6-5H-6Z", equivalent: "M-5-5H5V5H-5Z", trivial: "M0-6L6 0L0 6L-6 0Z",
};
const circle = "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0Z";

// plot draws one ratio with its interval along a scale.
const plot = (scale, e, height = 26) => {
  const y = height / 2, one = percent(scale.at(1));
  const out = svg("svg", { class: "plot", width: "100%", height, "aria-hidden": "true" }, svg("line", { class: "one", x1: one, x2: one, y1: 0, y2: height }));
  if (e.r === null || e.r <= 0) return out;
  const word = verdictWord(e.verdict);
  const here = (x, node) => svg("svg", { x: percent(scale.at(x)), y, overflow: "visible" }, node);
  if (e.l !== null && e.h !== null) {
    const a = percent(scale.at(e.l)), b = percent(scale.at(e.h));
    out.append(svg("line", { class: "ci " + word, x1: a, x2: b, y1: y, y2: y }));
    for (const [x, side, path] of [[e.l, -1, "M0 0L7-5V5Z"], [e.h, 1, "M0 0L-7-5V5Z"]]) {
      const at = percent(scale.at(x));
      out.append(scale.off(x) === side ? here(x, svg("path", { class: "end " + word, d: path })) : svg("line", { class: "ci " + word, x1: at, x2: at, y1: y - 5, y2: y + 5 }));
    }
  }
  out.append(here(e.r, svg("path", { class: "m " + word, d: shapes[word] || circle })));
  return out;
};

const axis = (scale) => {
  const out = svg("svg", { class: "axis", width: "100%", height: 22 });
  for (const x of logTicks(scale.low, scale.high)) {
    const at = percent(scale.at(x)), label = svg("text", { x: at, y: 18 });
    label.textContent = significant(x, 4);
    out.append(svg("line", { x1: at, x2: at, y1: 0, y2: 5 }), label);
  }
  return out;
};

const verdictMark = (v) => el("span", { class: "verdict " + (v < 0 ? "none" : verdictWord(v)) }, el("span", { "aria-hidden": "true" }, verdictSign(v)), " " + verdictWord(v));

// The tip says more of what the pointer or the focus is on.
const tip = {
  of: null, // the element it belongs to
  show(lines, x, y) {
    byId("tip").replaceChildren(...lines.map((l) => el("div", {}, l)));
    tip.of = null;
    tip.place(x, y);
  },
  place(x, y) {
    const box = byId("tip");
    box.hidden = false;
    const w = box.offsetWidth, h = box.offsetHeight;
    box.style.left = Math.max(4, Math.min(x + 12, innerWidth - w - 4)) + "px";
    box.style.top = (y + 16 + h > innerHeight ? Math.max(4, y - h - 12) : y + 16) + "px";
  },
  beside(element) {
    const b = element.getBoundingClientRect();
    tip.place(b.left, b.bottom - 12);
    tip.of = element;
  },
  hide() { byId("tip").hidden = true; tip.of = null; },
  // moved keeps it at what has the focus, which may have scrolled.
  moved() { if (tip.of && tip.of === document.activeElement) tip.beside(tip.of); else tip.hide(); },
};

// withTip makes an element of text that shows lines while pointed at.
const withTip = (text, lines, name) => {
  const show = (e) => { tip.show(lines(), 0, 0); tip.beside(e.currentTarget); };
  return el("button", { type: "button", class: "value", "aria-describedby": "tip", "aria-label": name, on: { mouseenter: show, focus: show, click: show, mouseleave: tip.hide, blur: tip.hide } }, text);
};

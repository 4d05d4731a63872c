"use strict";

// Moves the view, shows what is under the pointer, and fills the tables.

const tip = document.getElementById("tip");
const MIN_RANGE = 8;

function show(from, to) {
  const range = Math.min(Math.max(to - from, MIN_RANGE), LAST * 1.04);
  const middle = (from + to) / 2;
  const low = -0.02 * LAST;
  view.from = Math.min(Math.max(middle - range / 2, low), LAST * 1.02 - range);
  view.to = view.from + range;
  redraw();
}

function fit() {
  show(-0.01 * LAST, LAST * 1.02);
}

function zoom(factor, around) {
  const at = around ?? (view.from + view.to) / 2;
  const range = Math.max(MIN_RANGE, (view.to - view.from) * factor);
  const part = (at - view.from) / (view.to - view.from);
  show(at - part * range, at + (1 - part) * range);
}

function pan(part) {
  const by = (view.to - view.from) * part;
  show(view.from + by, view.to + by);
}

function select(lane, span) {
  view.lane = lane;
  view.span = span;
  const details = document.getElementById("details");
  if (span < 0) {
    fill(details, lane < 0 ? [] : [["name", laneName(LANES[lane])]]);
  } else {
    fill(details, describe(LANES[lane], span));
  }
  if (lane >= 0) {
    const top = LANES[lane].top;
    if (top < chart.scrollTop + AXIS) chart.scrollTop = top - AXIS - GROUP;
    if (top + LANE > chart.scrollTop + height) chart.scrollTop = top + LANE - height + 4;
  }
  redraw();
}

function fillView(lane, span) {
  const { start, end } = LANES[lane];
  const margin = Math.max(4, (end[span] - start[span]) * 0.3);
  show(start[span] - margin, end[span] + margin);
}

function reveal(lane, span) {
  const { start, end } = LANES[lane];
  if (start[span] < view.from || end[span] > view.to) {
    const half = (view.to - view.from) / 2;
    const at = Math.min((start[span] + end[span]) / 2, start[span] + half * 0.8);
    show(at - half, at + half);
  }
}

function selectLane(by) {
  const lane = Math.min(Math.max(view.lane + by, 0), LANES.length - 1);
  const middle = (view.from + view.to) / 2;
  const span = Math.min(above(LANES[lane].end, middle), LANES[lane].count - 1);
  select(lane, span);
}

function selectSpan(by) {
  const lane = Math.max(view.lane, 0);
  const span = Math.min(Math.max(view.span + by, 0), LANES[lane].count - 1);
  select(lane, span);
  if (span >= 0) reveal(lane, span);
}

// Pointer.

let drag = null;

canvas.addEventListener("pointerdown", (event) => {
  drag = { at: event.offsetX, from: view.from, to: view.to, moved: false };
  canvas.setPointerCapture(event.pointerId);
});

canvas.addEventListener("pointerup", (event) => {
  if (drag && !drag.moved) {
    const found = find(event.offsetX, event.offsetY);
    if (found) select(...found);
    else select(-1, -1);
  }
  drag = null;
});

canvas.addEventListener("pointermove", (event) => {
  if (drag) {
    const by = (drag.at - event.offsetX) / (width - gutter) * (drag.to - drag.from);
    if (Math.abs(drag.at - event.offsetX) > 3) drag.moved = true;
    if (drag.moved) show(drag.from + by, drag.to + by);
    tip.hidden = true;
    return;
  }
  const found = find(event.offsetX, event.offsetY);
  const before = view.hover;
  view.hover = found;
  if (String(before) !== String(found)) redraw();
  tip.hidden = !found;
  if (!found) return;
  fill(tip, describe(LANES[found[0]], found[1]));
  const { offsetWidth, offsetHeight } = tip;
  const left = Math.min(event.clientX + 14, window.innerWidth - offsetWidth - 8);
  const below = event.clientY + 18;
  const fits = below + offsetHeight < window.innerHeight;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${fits ? below : event.clientY - offsetHeight - 12}px`;
});

canvas.addEventListener("pointerleave", () => {
  view.hover = null;
  tip.hidden = true;
  redraw();
});

canvas.addEventListener("dblclick", (event) => {
  const found = find(event.offsetX, event.offsetY);
  if (found) fillView(...found);
});

canvas.addEventListener("wheel", (event) => {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, cycleAt(Math.max(event.offsetX, gutter)));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    pan((event.deltaX || event.deltaY) / (width - gutter));
  }
}, { passive: false });

// Keys.

const KEYS = {
  ArrowLeft: () => pan(-0.2),
  ArrowRight: () => pan(0.2),
  "+": () => zoom(1 / 1.5),
  "=": () => zoom(1 / 1.5),
  "-": () => zoom(1.5),
  0: fit,
  Home: fit,
  ArrowUp: () => selectLane(-1),
  ArrowDown: () => selectLane(1),
  ",": () => selectSpan(-1),
  ".": () => selectSpan(1),
  Enter: () => view.span >= 0 && fillView(view.lane, view.span),
  Escape: () => select(-1, -1),
};

canvas.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});

for (const [id, act] of [["fit", fit], ["zoom-in", KEYS["+"]], ["zoom-out", KEYS["-"]],
  ["left", KEYS.ArrowLeft], ["right", KEYS.ArrowRight]]) {
  document.getElementById(id).addEventListener("click", act);
}

document.getElementById("edges").addEventListener("change", (event) => {
  view.edges = event.target.value;
  redraw();
});

// Text and tables.

function addRow(table, cells) {
  const row = document.getElementById(table).tBodies[0].insertRow();
  for (const [name, content] of cells) {
    const cell = row.insertCell();
    cell.className = name;
    if (content instanceof Node) cell.append(content);
    else cell.textContent = content;
  }
}

function button(text, label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", act);
  return element;
}

function fillText() {
  const { kernel, facts, scope, outcome, model_note: note } = DATA;
  document.getElementById("kernel").textContent = kernel;
  document.getElementById("facts").textContent = facts;
  document.getElementById("scope").textContent = scope;
  document.getElementById("model-note").textContent = note;
  const bad = document.getElementById("outcome");
  bad.textContent = outcome;
  bad.hidden = !outcome;
}

function fillTables() {
  for (const [lane, subject, line, stalls, cycles, start] of DATA.stalls) {
    const { cta, from, to } = LANES[lane];
    const name = DATA.strings[subject];
    const go = () => {
      const span = above(LANES[lane].end, start);
      select(lane, span);
      fillView(lane, span);
      chart.scrollIntoView({ block: "nearest" });
    };
    addRow("stalls", [["", CTA_NAMES.get(cta)], ["", LANES[lane].name], ["", name],
      ["code", place(line).short], ["number", whole(stalls)], ["number", whole(cycles)],
      ["number", percent(cycles, to - from)],
      ["", button("show", `Show the longest wait of ${LANES[lane].name} for ${name}`, go)]]);
  }
  for (const lane of LANES) {
    const all = lane.to - lane.from;
    const rest = Math.max(0, all - lane.busy - lane.waits);
    addRow("lanes", [["", CTA_NAMES.get(lane.cta)], ["", laneName(lane)],
      ["number", whole(lane.from)], ["number", whole(lane.to)],
      ["number", whole(lane.busy)], ["number", lane.engine ? "" : whole(lane.waits)],
      ["number", whole(rest)], ["number", percent(lane.busy, lane.engine ? LAST : all)]]);
  }
  for (const [name, value, meaning, source] of DATA.model) {
    addRow("model", [["code", name], ["number", value], ["wide", meaning], ["wide", source]]);
  }
}

function fillLegend() {
  const ratio = window.devicePixelRatio || 1;
  document.getElementById("legend").replaceChildren(...DATA.kinds.map(([key, text], kind) => {
    const item = document.createElement("li");
    const sample = document.createElement("canvas");
    [sample.width, sample.height] = [18 * ratio, 14 * ratio];
    sample.style.cssText = "width:18px;height:14px";
    const ink = sample.getContext("2d");
    ink.fillStyle = paint(kind);
    ink.fillRect(0, 0, sample.width, sample.height);
    item.append(sample, key);
    item.title = text;
    return item;
  }));
}

function dress() {
  readColors();
  fillLegend();
  redraw();
}

chart.addEventListener("scroll", redraw);
window.addEventListener("resize", () => {
  resize();
  redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
fillText();
fillTables();
resize();
dress();
fit();

"use strict";

// Draws the lanes on a canvas that stays in place while its box scrolls.

const AXIS = 30;
const LANE = 34;
const GROUP = 24;
const MAX_EDGES = 600;
const MIN_HATCH = 5;

const chart = document.getElementById("chart");
const canvas = document.getElementById("canvas");
const pen = canvas.getContext("2d");
const view = { from: 0, to: LAST, lane: -1, span: -1, hover: null, edges: "stalls" };
let colors = {};
let hatch = null;
let width = 0;
let height = 0;
let gutter = 230;

// Rows: a heading per CTA, then its lanes.
const ROWS = [];
let total = AXIS;
for (const lane of LANES) {
  const previous = ROWS[ROWS.length - 1];
  if (!previous || previous.cta !== lane.cta) {
    ROWS.push({ cta: lane.cta, top: total, heading: true });
    total += GROUP;
  }
  lane.top = total;
  ROWS.push({ cta: lane.cta, top: total, lane });
  total += LANE;
}

function readColors() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["back", "panel", "text", "quiet", "line", "strong", "edge",
    "span-text", "wait-mark", "wait-text", ...KINDS];
  colors = Object.fromEntries(names.map((name) => [name, get(name)]));
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const ink = tile.getContext("2d");
  ink.fillStyle = colors.wait;
  ink.fillRect(0, 0, 8, 8);
  ink.strokeStyle = colors["wait-mark"];
  ink.lineWidth = 1.2;
  ink.beginPath();
  for (const shift of [-8, 0, 8]) {
    ink.moveTo(shift, 8);
    ink.lineTo(shift + 8, 0);
  }
  ink.stroke();
  hatch = pen.createPattern(tile, "repeat");
}

function paint(kind) {
  return kind === WAIT ? hatch : colors[KINDS[kind]];
}

function x(cycle) {
  return gutter + (cycle - view.from) / (view.to - view.from) * (width - gutter);
}

function cycleAt(position) {
  return view.from + (position - gutter) / (width - gutter) * (view.to - view.from);
}

function resize() {
  const ratio = window.devicePixelRatio || 1;
  width = chart.clientWidth;
  gutter = Math.min(230, Math.round(width * 0.34));
  height = Math.min(total + 6, Math.max(200, Math.floor(window.innerHeight * 0.72)));
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  document.getElementById("space").style.height = `${Math.max(0, total + 6 - height)}px`;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function step(range) {
  const rough = range / Math.max(2, (width - gutter) / 110);
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5, 10]) {
    if (power * factor >= rough) return Math.max(1, power * factor);
  }
  return 1;
}

function drawAxis() {
  pen.fillStyle = colors.panel;
  pen.fillRect(0, 0, width, AXIS);
  pen.fillStyle = colors.quiet;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillText("cycles of the cost model", 10, AXIS / 2);
  pen.textAlign = "center";
  const by = step(view.to - view.from);
  for (let t = Math.ceil(view.from / by) * by; t <= view.to; t += by) {
    const at = Math.round(x(t)) + 0.5;
    pen.fillStyle = colors.text;
    if (at > gutter + 4 && at < width - 20) pen.fillText(whole(t), at, AXIS / 2);
    pen.fillStyle = colors.line;
    pen.fillRect(at - 0.5, AXIS - 5, 1, height);
  }
}

// Spans narrower than a pixel share one: each kind gets its part of the height.
function drawSpans(lane, top) {
  const scale = (width - gutter) / (view.to - view.from);
  const box = LANE - 10;
  const sums = new Float64Array(KINDS.length);
  let column = -1;
  const flush = () => {
    if (column < 0) return;
    const all = Math.max(1 / scale, sums.reduce((a, b) => a + b));
    let at = top;
    for (let k = 0; k < sums.length; k++) {
      if (!sums[k]) continue;
      const part = Math.max(0.5, box * sums[k] / all);
      pen.fillStyle = k === WAIT ? colors["wait-mark"] : paint(k);
      pen.fillRect(column, at, 1, part);
      at += part;
    }
    sums.fill(0);
    column = -1;
  };
  for (let i = above(lane.end, view.from); i < lane.count; i++) {
    if (lane.start[i] > view.to) break;
    const cycles = lane.end[i] - lane.start[i];
    const left = x(lane.start[i]);
    if (cycles * scale < 1) {
      const at = Math.floor(left);
      if (at !== column) flush();
      column = at;
      sums[lane.kind[i]] += cycles;
      continue;
    }
    flush();
    drawSpan(lane, i, Math.max(left, gutter), Math.min(x(lane.end[i]), width), top, box);
  }
  flush();
}

function drawSpan(lane, i, left, right, top, box) {
  const kind = lane.kind[i];
  const isThin = kind === WAIT && right - left < MIN_HATCH;
  pen.fillStyle = isThin ? colors["wait-mark"] : paint(kind);
  pen.fillRect(left, top, right - left, box);
  if (right - left > 3) {
    pen.fillStyle = colors.back;
    pen.fillRect(right - 0.5, top, 0.5, box);
  }
  if (right - left < 34) return;
  const text = DATA.strings[lane.name_of[i]];
  pen.save();
  pen.beginPath();
  pen.rect(left, top, right - left - 3, box);
  pen.clip();
  pen.textAlign = "left";
  if (kind === WAIT) {
    const room = Math.min(pen.measureText(text).width + 8, right - left);
    pen.fillStyle = colors.wait;
    pen.fillRect(left, top + 3, room, box - 6);
    pen.fillStyle = colors["wait-text"];
  } else {
    pen.fillStyle = colors["span-text"];
  }
  pen.fillText(text, left + 4, top + box / 2 + 0.5);
  pen.restore();
}

function clipped(text, room) {
  if (pen.measureText(text).width <= room) return text;
  while (text.length > 1 && pen.measureText(`${text}…`).width > room) {
    text = text.slice(0, -1);
  }
  return `${text}…`;
}

function drawLabels(lane, top) {
  const chosen = view.lane === lane.number;
  pen.fillStyle = chosen ? colors.panel : colors.back;
  pen.fillRect(0, top, gutter, LANE);
  if (chosen) {
    pen.fillStyle = colors.strong;
    pen.fillRect(0, top, 4, LANE);
  }
  pen.textAlign = "left";
  pen.fillStyle = colors.text;
  pen.fillText(clipped(laneName(lane), gutter - 22), 12, top + 11);
  pen.fillStyle = colors.quiet;
  const part = lane.engine
    ? `busy ${percent(lane.busy, LAST)}`
    : `waits ${percent(lane.waits, lane.to - lane.from)}`;
  pen.save();
  pen.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  pen.fillText(part, 12, top + 25);
  pen.restore();
}

function touches(edge) {
  for (const [lane, span] of [[view.lane, view.span], view.hover || [-1, -1]]) {
    if (span < 0) continue;
    const { start, end } = LANES[lane];
    if (edge.target === lane && (edge.time === end[span] || edge.time === start[span])) {
      return true;
    }
    if (edge.source === lane && edge.begin === start[span]) return true;
  }
  return false;
}

// Many edges are one path each for lines and heads: that is much quicker.
function drawPaths(edges, offset, strong) {
  const lines = new Path2D();
  const heads = new Path2D();
  for (const edge of edges) {
    const left = x(edge.end);
    const right = x(edge.time);
    const from = LANES[edge.source].top - offset + LANE / 2;
    const to = LANES[edge.target].top - offset + LANE / 2;
    const bend = Math.min(60, Math.max(4, Math.abs(right - left) / 2));
    lines.moveTo(left, from);
    lines.bezierCurveTo(left + bend, from, right - bend, to, right, to);
    heads.moveTo(right, to);
    heads.lineTo(right - 7, to - 4);
    heads.lineTo(right - 7, to + 4);
  }
  pen.strokeStyle = pen.fillStyle = strong ? colors.strong : colors.edge;
  pen.globalAlpha = strong ? 1 : 0.6;
  pen.lineWidth = strong ? 2.2 : 1.2;
  pen.stroke(lines);
  pen.fill(heads);
  pen.globalAlpha = 1;
}

function drawEdges(offset) {
  const seen = [];
  const strong = [];
  for (const edge of EDGES) {
    if (touches(edge)) strong.push(edge);
    else if (view.edges === "selected" || edge.begin > view.to || edge.time < view.from) continue;
    else if (view.edges === "all" || edge.stall > 0) seen.push(edge);
  }
  const note = document.getElementById("edge-note");
  const crowded = seen.length > MAX_EDGES;
  note.textContent = crowded ? `${whole(seen.length)} edges here: zoom in to see them` : "";
  pen.save();
  pen.beginPath();
  pen.rect(gutter, AXIS, width - gutter, height - AXIS);
  pen.clip();
  if (!crowded) drawPaths(seen, offset, false);
  drawPaths(strong, offset, true);
  pen.restore();
}

function outline(lane, i, offset, color) {
  const left = Math.max(x(lane.start[i]), gutter);
  const right = Math.max(left + 2, Math.min(x(lane.end[i]), width));
  if (x(lane.end[i]) < gutter) return;
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.strokeRect(left, lane.top - offset + 4, right - left, LANE - 8);
}

function draw() {
  const offset = chart.scrollTop;
  pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  pen.textBaseline = "middle";
  pen.fillStyle = colors.back;
  pen.fillRect(0, 0, width, height);
  drawAxis();
  for (const row of ROWS) {
    const top = row.top - offset;
    if (top > height || top + LANE < AXIS) continue;
    if (row.heading) {
      pen.fillStyle = colors.panel;
      pen.fillRect(0, top, width, GROUP);
      pen.fillStyle = colors.text;
      pen.textAlign = "left";
      pen.fillText(CTA_NAMES.get(row.cta), 8, top + GROUP / 2);
      continue;
    }
    pen.fillStyle = colors.line;
    pen.fillRect(0, top + LANE - 1, width, 1);
    drawSpans(row.lane, top + 5);
    drawLabels(row.lane, top);
  }
  drawEdges(offset);
  if (view.span >= 0) outline(LANES[view.lane], view.span, offset, colors.strong);
  pen.fillStyle = colors.line;
  pen.fillRect(gutter - 1, AXIS, 1, height);
  if (offset > 0) drawAxis();
}

let isAsked = false;
function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    draw();
  });
}

// Returns [lane number, span number] at a point of the canvas, or null.
function find(px, py) {
  if (px < gutter || py < AXIS) return null;
  const y = py + chart.scrollTop;
  const lane = LANES.find((l) => y >= l.top && y < l.top + LANE);
  if (!lane) return null;
  const cycle = cycleAt(px);
  const slack = 3 * (view.to - view.from) / (width - gutter);
  const i = above(lane.end, cycle);
  if (i < lane.count && lane.start[i] <= cycle + slack) return [lane.number, i];
  if (i > 0 && lane.end[i - 1] >= cycle - slack) return [lane.number, i - 1];
  return null;
}

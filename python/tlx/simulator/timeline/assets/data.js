"use strict";

// The recorded run, as columns; see page.py for the other side.

const DATA = JSON.parse(document.getElementById("data").textContent);
const KINDS = DATA.kinds.map(([key]) => key);
const WAIT = KINDS.indexOf("wait");

const LANES = DATA.lanes.map((lane, number) => {
  const count = lane.start.length;
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  let cycle = 0;
  for (let i = 0; i < count; i++) {
    cycle += lane.start[i];
    start[i] = cycle;
    end[i] = cycle + lane.cycles[i];
  }
  return { ...lane, number, count, start, end };
});

const EDGES = DATA.edges.map(([source, begin, end, target, time, label, stall]) => (
  { source, begin, end, target, time, label: DATA.strings[label], stall }
));
EDGES.sort((a, b) => a.time - b.time);

const LAST = Math.max(1, ...LANES.map((lane) => lane.to));
const CTA_NAMES = new Map(DATA.ctas);

function whole(number) {
  return (Math.round(number) || 0).toLocaleString("en-US");
}

function percent(part, all) {
  return all > 0 ? `${(100 * part / all).toFixed(1)} %` : "";
}

// Returns the first place in sorted `values` whose value is above `limit`.
function above(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function laneName(lane) {
  return lane.engine ? `${lane.name} engine` : lane.name;
}

function place(index) {
  const [file, line, text] = DATA.lines[index];
  const name = file.split(/[\\/]/).pop();
  return { file, text, short: line ? `${name}:${line}` : "" };
}

// What there is to say about a span, as [class, text] lines.
function describe(lane, i) {
  const kind = lane.kind[i];
  const at = place(lane.line[i]);
  const cycles = lane.end[i] - lane.start[i];
  const lines = [["name", DATA.strings[lane.name_of[i]]]];
  lines.push(["", `${CTA_NAMES.get(lane.cta)}, ${laneName(lane)}: ${whole(cycles)} cycles, `
    + `from ${whole(lane.start[i])} to ${whole(lane.end[i])}`]);
  const note = DATA.strings[lane.note[i]];
  if (note) lines.push(["", kind === WAIT ? `Why: ${note}` : note]);
  if (at.short) lines.push(["", at.short]);
  if (at.text) lines.push(["code", at.text]);
  return lines;
}

function fill(element, lines) {
  element.replaceChildren(...lines.map(([name, text]) => {
    const row = document.createElement("p");
    row.className = name;
    row.textContent = text;
    return row;
  }));
}

"use strict";
// The report's page: tabs over the data that stands in the page itself. No library, no network.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf",
  "#bcbd22", "#7f7f7f", "#d62728"];
const MODES = {eager: "#ffcc80", backward: "#ef9a9a", traced: "#90caf9", native: "#a5d6a7",
  compiling: "#ce93d8", report: "#eeeeee", import: "#d7ccc8", tracing: "#b39ddb", Python: "#cfd8dc", "tf.data": "#fff59d"};

function el(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") one.className = value;
    else if (key.startsWith("on")) one[key] = value;
    else one.setAttribute(key, value);
  }
  one.append(...children);
  return one;
}

function draw(name, attributes = {}, text = "") {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  if (text) one.textContent = text;
  return one;
}

// -- hover ------------------------------------------------------------------------------------------
const tip = document.getElementById("tip");
function showTip(event, text) {
  if (!text) { tip.hidden = true; return; }
  tip.hidden = false;
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.min(event.clientX + 14, innerWidth - box.width - 8) + "px";
  tip.style.top = Math.min(event.clientY + 14, innerHeight - box.height - 8) + "px";
}
function hover(one, text) {
  one.addEventListener("mousemove", event => showTip(event, typeof text === "function" ? text(event) : text));
  one.addEventListener("mouseleave", () => { tip.hidden = true; });
}

// -- numbers ----------------------------------------------------------------------------------------
const short = x => x === null || x === undefined ? "" : x === 0 ? "0"
  : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(2) : String(+x.toPrecision(4));
function bytes(n) {
  let unit = 0;
  while (n >= 1000 && unit < 3) { n /= 1000; unit++; }
  return +n.toPrecision(3) + " " + ["B", "kB", "MB", "GB"][unit];
}
const time = s => s >= 1 ? s.toFixed(2) + " s" : (s * 1000).toFixed(1) + " ms";

// -- curves -----------------------------------------------------------------------------------------
function plot(series, options = {}) {
  // series: [{name, points: [[x, y], ...]}]; y may be null.
  const width = 900, height = 260, left = 62, bottom = 28, top = 10, right = 12;
  const svg = draw("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none"});
  const log = options.log && series.some(s => s.points.some(p => p[1] > 0));
  const usable = p => p[1] !== null && isFinite(p[1]) && (!log || p[1] > 0);
  const scale = y => log ? Math.log10(y) : y;
  let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
  for (const one of series) for (const p of one.points) if (usable(p)) {
    x0 = Math.min(x0, p[0]); x1 = Math.max(x1, p[0]);
    y0 = Math.min(y0, scale(p[1])); y1 = Math.max(y1, scale(p[1]));
  }
  if (x0 === Infinity) return el("p", {class: "note"}, "no numbers to show");
  if (x0 === x1) x1 = x0 + 1;
  if (y0 === y1) { y0 -= 0.5; y1 += 0.5; }
  const X = x => left + (x - x0) / (x1 - x0) * (width - left - right);
  const Y = y => height - bottom - (scale(y) - y0) / (y1 - y0) * (height - bottom - top);
  for (let i = 0; i <= 4; i++) {
    const value = y0 + (y1 - y0) * i / 4, at = height - bottom - (height - bottom - top) * i / 4;
    svg.append(draw("line", {class: "grid", x1: left, x2: width - right, y1: at, y2: at}));
    const shown = log ? 10 ** value : value;
    svg.append(draw("text", {x: left - 6, y: at + 4, "text-anchor": "end"}, options.text ? options.text(shown) : short(shown)));
    const x = x0 + (x1 - x0) * i / 4;
    svg.append(draw("text", {x: X(x), y: height - 8, "text-anchor": "middle"}, short(x)));
  }
  const paths = series.map((one, i) => {
    let d = "", open = false;
    for (const p of one.points) {
      if (!usable(p)) { open = false; continue; }
      d += `${open ? "L" : "M"}${X(p[0]).toFixed(1)} ${Y(p[1]).toFixed(1)}`;
      open = true;
    }
    const path = draw("path", {class: "curve", d, stroke: COLOURS[i % COLOURS.length], "vector-effect": "non-scaling-stroke"});
    svg.append(path);
    return path;
  });
  const area = draw("rect", {class: "hit", x: left, y: 0, width: width - left - right, height});
  svg.append(area);
  hover(area, event => {
    const box = svg.getBoundingClientRect();
    const x = x0 + ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * (x1 - x0);
    const lines = [];
    series.forEach((one, i) => {
      if (paths[i].style.display === "none" || lines.length > 14) return;
      let best = null;
      for (const p of one.points) if (best === null || Math.abs(p[0] - x) < Math.abs(best[0] - x)) best = p;
      if (best) lines.push(`${one.name}: ${best[1] === null ? "NaN" : options.text ? options.text(best[1]) : short(best[1])}${best[2] ? " " + best[2] : ""}  (${options.x || "step"} ${short(best[0])})`);
    });
    return lines.join("\n");
  });
  const box = el("div", {}, svg);
  if (series.length > 1) box.append(legend(series.map(s => s.name), paths));
  return box;
}

function legend(names, paths) {
  return el("div", {class: "legend"}, ...names.map((name, i) => {
    const line = el("i");
    line.style.background = COLOURS[i % COLOURS.length];
    const one = el("span", {}, line, name);
    one.onclick = () => {
      const off = one.classList.toggle("off");
      paths[i].style.display = off ? "none" : "";
    };
    return one;
  }));
}

// -- tabs -------------------------------------------------------------------------------------------
function perSite(render) {
  return box => {
    for (const site of DATA.monitors || []) {
      const card = el("div", {class: "card"}, el("h2", {}, `gradients at ${site.title}, ${site.steps ?? site.losses.length} steps`));
      render(card, site);
      box.append(card);
    }
    if (!(DATA.monitors || []).length) box.append(el("p", {class: "note"}, "No gradient was taken in this run."));
  };
}

const curves = perSite((card, site) => {
  if (site.losses.length) card.append(el("h2", {}, "target"), plot([{name: "target", points: site.losses}]));
  const series = site.series.filter(s => s.points.length).map(s => ({name: s.name, points: s.points.map(p => [p[0], p[1], p[5] === "fine" ? "" : p[5]])}));
  if (series.length) card.append(el("h2", {}, "norm of the gradient"), plot(series, {log: true}));
  const rows = site.series.map(s => {
    const last = s.points[s.points.length - 1];
    return el("tr", {}, el("td", {}, s.name), el("td", {}, s.shape),
      el("td", {class: "number"}, last ? short(last[1]) || "NaN" : ""), el("td", {class: "number"}, last ? short(last[2]) : ""),
      el("td", {class: "number"}, last ? (100 * last[3]).toFixed(0) + "%" : ""),
      el("td", {class: last && last[5] === "fine" ? "" : "bad"}, last ? last[5] : `no gradient in ${s.missing} steps`));
  });
  card.append(el("h2", {}, "at the last step"), table(["source", "shape", "norm", "ratio to the value", "zeros", "verdict"], rows));
});

function table(heads, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(h => el("th", {}, h)))), el("tbody", {}, ...rows));
}

const histograms = perSite((card, site) => {
  const grid = el("div", {class: "hist"});
  const choice = el("select", {}, el("option", {value: "gradient"}, "gradients"), el("option", {value: "value"}, "values"));
  const slider = el("input", {type: "range", min: 0, max: 1000, value: 1000});
  const fill = () => {
    grid.replaceChildren();
    for (const one of site.series.slice(0, 200)) {
      if (!one.histograms.length) continue;
      const at = one.histograms[Math.round(slider.value / 1000 * (one.histograms.length - 1))];
      grid.append(bars(one.name, at.step, at[choice.value]));
    }
  };
  choice.onchange = slider.oninput = fill;
  card.append(choice, el("label", {}, "first step ", slider, " last step"), grid);
  fill();
});

function bars(name, step, held) {
  const svg = draw("svg", {viewBox: "0 0 240 90", width: "100%"});
  const most = Math.max(1, ...held.counts), width = 236 / Math.max(held.counts.length, 1);
  held.counts.forEach((count, i) => {
    const height = 70 * count / most;
    const bar = draw("rect", {x: 2 + i * width, y: 72 - height, width: Math.max(width - 1, 1), height, fill: "#4db6ac"});
    const low = held.low + (held.high - held.low) * i / held.counts.length;
    hover(bar, `${short(low)} … ${short(low + (held.high - held.low) / held.counts.length)}: ${count}`);
    svg.append(bar);
  });
  svg.append(draw("text", {x: 2, y: 86, "font-size": 10}, short(held.low)), draw("text", {x: 238, y: 86, "font-size": 10, "text-anchor": "end"}, short(held.high)));
  return el("div", {}, el("h3", {}, `${name}, step ${step}`), svg);
}

// Of a large picture only what is in view is there: pieces of 100 boxes or edges, with their heights.
function piecesOf(svg) {
  const parts = [...svg.querySelectorAll("g.node, path")], pieces = [];
  if (parts.length < 2000) return pieces;
  for (let i = 0; i < parts.length; i += 100) {
    const some = parts.slice(i, i + 100), piece = {box: draw("g", {}), gap: draw("g", {}), low: Infinity, high: -Infinity, there: true};
    some[0].before(piece.box);
    piece.box.append(...some);
    for (const one of some) {
      const numbers = one.tagName === "path" ? one.getAttribute("d").match(/[-\d.]+/g).map(Number) : null;
      for (const at of numbers ? [numbers[1], numbers[numbers.length - 1]] : [one.transform.baseVal[0].matrix.f]) {
        piece.low = Math.min(piece.low, at);
        piece.high = Math.max(piece.high, at + 90);
      }
    }
    pieces.push(piece);
  }
  return pieces;
}

const pictures = perSite((card, site) => {
  if (!site.drawing) { card.append(el("p", {class: "note"}, "no picture")); return; }
  const view = el("div", {class: "view"});
  let svg, pieces = [], k = 1, x = 0, y = 0, held = null;
  const show = text => {
    const apart = el("div", {});  // taken to pieces before the page lays it out
    apart.innerHTML = text;  // written by tapeflow, with every text escaped
    svg = apart.querySelector("svg");
    for (const title of svg.querySelectorAll("title")) { title.parentNode.dataset.tip = title.textContent; title.remove(); }
    view.dataset.boxes = svg.querySelectorAll("g.node").length;
    pieces = piecesOf(svg);
    move();
    view.replaceChildren(svg);
  };
  const move = () => {
    svg.style.transform = `translate(${x}px,${y}px) scale(${k})`;
    for (const piece of pieces) {
      const there = piece.high * k + y > 0 && piece.low * k + y < view.clientHeight;
      if (there !== piece.there) { piece.there = there; there ? piece.gap.replaceWith(piece.box) : piece.box.replaceWith(piece.gap); }
    }
  };
  const fit = () => {
    k = Math.min(1, view.clientWidth / svg.viewBox.baseVal.width || 1);
    x = y = 0;
    if (k < 0.2) {  // too small to read: the first box instead of all of them
      k = 0.5;
      x = view.clientWidth / 2 - k * svg.querySelector("g.node").transform.baseVal[0].matrix.e;
    }
    move();
  };
  view.onwheel = event => {
    event.preventDefault();
    const box = view.getBoundingClientRect(), factor = Math.exp(-event.deltaY / 400);
    const to = Math.min(8, Math.max(0.05, k * factor));
    const px = event.clientX - box.left, py = event.clientY - box.top;
    x = px - (px - x) * to / k; y = py - (py - y) * to / k; k = to;
    move();
  };
  view.onpointerdown = event => { held = [event.clientX - x, event.clientY - y]; view.setPointerCapture(event.pointerId); };
  view.onpointermove = event => { if (held) { x = event.clientX - held[0]; y = event.clientY - held[1]; move(); } };
  view.onpointerup = () => { held = null; };
  hover(view, event => { const one = event.target.closest("[data-tip]"); return one ? one.dataset.tip : ""; });
  show(site.drawing);
  const note = el("p", {class: "note"}, "Wheel: zoom. Drag: move. Boxes: ops or lines, coloured by the norm of their gradient; red: gradients end here. ");
  if (site.every_op) {
    let whole = false;
    const button = el("button", {class: "every"}, "show every op");
    button.onclick = () => { whole = !whole; show(whole ? site.every_op : site.drawing); fit(); button.textContent = whole ? "show groups" : "show every op"; };
    note.append(button);
  }
  card.append(note, view);
  view.fit = fit;
});

function memory(box) {
  const run = DATA.time && DATA.time.memory || [];
  if (run.length && run[0][1]) box.append(el("div", {class: "card"}, el("h2", {}, "memory of the process over the run"), plot([{name: "resident", points: run}], {text: bytes, x: "second"})));
  perSite((card, site) => {
    if (!site.memory) { card.append(el("p", {class: "note"}, "A traced function keeps what its native code plans: see Compiled.")); return; }
    const points = site.memory.profile.map((b, i) => [i, b]);
    const walk = points.map((p, i) => [points.length + i, points[points.length - 1 - i][1]]);
    card.append(el("p", {}, `The tape of the first step keeps ${bytes(site.memory.total)}; variables hold ${bytes(site.memory.variables)} more.`),
      plot([{name: "kept by the tape: forward, then back", points: [...points, ...walk]}], {text: bytes, x: "op"}),
      table(["bytes", "op", "times", "line"], site.memory.rows.slice(0, 40).map(r => el("tr", {},
        el("td", {class: "number"}, bytes(r.bytes)), el("td", {}, r.op), el("td", {class: "number"}, String(r.times)),
        el("td", {}, r.file ? `${r.file.split(/[\\/]/).pop()}:${r.line}` : "")))),
      ...site.memory.savings.map(s => el("p", {}, `tf.recompute_grad around lines ${s.first}-${s.last} saves ${bytes(s.bytes)} (${bytes(s.recomputed)} again for a while)`)));
  })(box);
}

function times(box) {
  const held = DATA.time;
  box.append(el("p", {}, `${time(held.seconds)} in all, sampled.`));
  const modes = {};
  for (const [mode, , seconds] of held.ops) modes[mode] = (modes[mode] || 0) + seconds;
  box.append(el("div", {class: "legend"}, ...Object.entries(modes).sort((a, b) => b[1] - a[1]).map(([mode, seconds]) => {
    const line = el("i");
    line.style.cssText = `background:${MODES[mode] || "#ddd"};height:12px`;
    return el("span", {}, line, `${mode}: ${time(seconds)}`);
  })));
  const flame = el("div", {class: "flame"});
  box.append(el("h2", {}, "by call: click to look closer, click the bottom row to go back"), flame);
  flame.show = () => drawFlame(flame, held.flame, held.flame);
  for (const [title, rows, what] of [["by op", held.ops, "op"], ["by line", held.lines, "line"]]) {
    const most = rows.length ? rows[0][2] : 1;
    box.append(el("h2", {}, title), table(["how", what, "time", ""], rows.slice(0, 60).map(([mode, name, seconds]) => {
      const bar = el("div", {class: "bar"});
      bar.style.cssText = `width:${Math.max(1, 220 * seconds / most)}px;background:${MODES[mode] || "#ddd"}`;
      return el("tr", {}, el("td", {}, mode), el("td", {}, name), el("td", {class: "number"}, time(seconds)), el("td", {}, bar));
    })));
  }
}

function drawFlame(box, root, top) {
  box.replaceChildren();
  const width = box.clientWidth - 4;
  let deepest = 0;
  const put = (node, left, size, depth) => {
    if (size < 1 || depth > 60) return;
    deepest = Math.max(deepest, depth);
    const mode = (/\[(\S+)\]/.exec(node.name) || [])[1];
    const one = el("div", {}, node.name);
    one.style.cssText = `left:${left}px;width:${size}px;top:${depth * 20 + 2}px;background:${MODES[mode] || "#eceff1"}`;
    hover(one, `${node.name}\n${time(node.seconds)}, ${(100 * node.seconds / top.seconds).toFixed(1)} %`);
    one.onclick = () => drawFlame(box, depth ? node : top, top);
    box.append(one);
    let at = left;
    for (const child of node.children) {
      const part = size * child.seconds / (node.seconds || 1);
      put(child, at, part, depth + 1);
      at += part;
    }
  };
  put(root, 2, width, 0);
  box.style.height = (deepest + 1) * 20 + 6 + "px";
}

function compiled(box) {
  if (!DATA.functions.length) box.append(el("p", {class: "note"}, "No tf.function was traced in this run."));
  for (const one of DATA.functions) {
    box.append(el("div", {class: "card"}, el("h2", {}, `${one.name}: ${one.native} of ${one.programs} programs run natively, ${one.traces} trace${one.traces === 1 ? "" : "s"}`), el("pre", {}, one.text)));
  }
}

function problems(box) {
  if (!DATA.problems.length) box.append(el("p", {}, "No gradient was None, NaN or infinite."));
  for (const one of DATA.problems) {
    box.append(el("div", {class: "card"}, el("h2", {}, el("span", {class: "bad"}, one.kind), ` ${one.name}`),
      el("p", {class: "note"}, `${one.site}, step ${one.step}${one.reason ? ", " + one.reason : ""}`), el("pre", {}, one.text)));
  }
}

const TABS = [["Curves", curves, DATA.monitors], ["Histograms", histograms, DATA.monitors],
  ["Tape", pictures, DATA.monitors && DATA.monitors.some(m => m.drawing)], ["Memory", memory, DATA.time],
  ["Time", times, DATA.time], ["Compiled", compiled, DATA.functions], ["Problems", problems, DATA.problems]];

function show(name) {
  for (const button of document.querySelectorAll("#tabs button")) button.classList.toggle("on", button.dataset.tab === name);
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = section.dataset.tab !== name;
    if (!section.hidden && !section.dataset.drawn) {  // a tab is drawn when it is first shown
      section.dataset.drawn = "yes";
      TABS.find(tab => tab[0] === name)[1](section);
      for (const one of section.querySelectorAll(".view, .flame")) (one.fit || one.show)();
    }
  }
  tip.hidden = true;
}

for (const [name, , there] of TABS) {
  if (!there) continue;
  const count = name === "Problems" && DATA.problems.length ? ` (${DATA.problems.length})` : "";
  document.getElementById("tabs").append(el("button", {"data-tab": name, onclick: () => { location.hash = name; }}, name + count));
  document.getElementById("main").append(el("section", {"data-tab": name, hidden: ""}));
}
const start = () => {
  const wanted = location.hash.slice(1);
  const tabs = [...document.querySelectorAll("main section")].map(section => section.dataset.tab);
  show(tabs.includes(wanted) ? wanted : tabs[0]);
};
addEventListener("hashchange", start);
start();

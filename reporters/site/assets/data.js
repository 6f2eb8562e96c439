// The data, the user's choices, and small helpers.
const data = JSON.parse(document.getElementById("data").textContent);
const find = id => document.getElementById(id);

// A figure is base, its interval, head, its interval, the change, its interval, and 1 if the change is significant.
const AT = {base: 0, head: 3, change: 6, significant: 9};

// The user's choices. The fragment of the address stores them, so that a link shows the same view.
const chosen = {workload: 0, host: "", metric: 0, quantity: "value", axis: "commit", runs: []};

// element creates an element with attributes and children. Strings become text nodes, never markup.
function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in e && key !== "list") e[key] = value;
    else e.setAttribute(key, value);
  }
  e.append(...children.filter(c => c !== null));
  return e;
}

// breakable lets a browser break a name after its underscores.
function breakable(name) {
  return name.split(/(?<=_)/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));
}

function options(select, list) {
  select.replaceChildren(...list.map(([value, text]) => element("option", {value}, text)));
}

const two = n => String(n).padStart(2, "0");
function date(seconds) {
  const d = new Date(seconds * 1000);
  return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`;
}
function moment(seconds) {
  const d = new Date(seconds * 1000);
  return `${date(seconds)} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`;
}

const exists = v => v !== null && v !== undefined;

// quantity prints a value in the unit of its metric with four digits.
function quantity(metric, value) {
  if (!exists(value)) return "–";
  const v = value / metric.factor,
    size = Math.abs(v);
  const places = size === 0 ? 0 : Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(size))));
  return v.toFixed(Number.isInteger(v) ? 0 : places) + (metric.unit ? "\u00a0" + metric.unit : "");
}

// places is the number of decimals of a change that its interval resolves.
function places(low, high) {
  const half = exists(low) && exists(high) ? Math.abs(high - low) / 2 : 0;
  return half > 0 ? Math.max(1, Math.min(4, 1 - Math.floor(Math.log10(half)))) : 2;
}
function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}
function percent(figure) {
  if (!figure || !exists(figure[AT.change])) return "–";
  return signed(figure[AT.change], places(figure[AT.change + 1], figure[AT.change + 2])) + "\u00a0%";
}
function interval(figure) {
  if (!figure || !exists(figure[AT.change + 1])) return "";
  const n = places(figure[AT.change + 1], figure[AT.change + 2]);
  return `${signed(figure[AT.change + 1], n)} to ${signed(figure[AT.change + 2], n)}\u00a0%`;
}

// direction returns better or worse for a significant change of a metric, else an empty string.
function direction(metric, figure) {
  if (!figure || !figure[AT.significant] || !exists(figure[AT.change]) || figure[AT.change] === 0) return "";
  return figure[AT.change] > 0 === metric.higher ? "better" : "worse";
}

// badge shows a verdict with its glyph and word, because colour alone is not accessible.
function badge(word) {
  return element(
    "span",
    {className: "badge " + word.tone},
    element("span", {ariaHidden: "true"}, word.glyph),
    " " + word.word,
  );
}

// resultsOf lists the results of a workload, on one host or on all.
function resultsOf(workload, host) {
  return data.results.filter(r => r.workload === workload && (!host || data.runs[r.run].host === host));
}

// slots orders the commits by their time or, if it is unknown, by the time of their first run.
const slots = (() => {
  const commits = new Map();
  for (const run of data.runs) {
    const time = run.head.time || run.started;
    if (!commits.has(run.head.sha)) commits.set(run.head.sha, {commit: run.head, time, first: run.started, runs: 0});
    const c = commits.get(run.head.sha);
    run.nth = c.runs++;
  }
  const list = [...commits.values()].sort((a, b) => a.time - b.time || a.first - b.first);
  list.forEach((c, i) => {
    c.slot = i;
  });
  for (const run of data.runs) {
    const c = commits.get(run.head.sha);
    // Runs of one commit are next to each other within its slot.
    run.slot = c.slot + (c.runs > 1 ? 0.6 * (run.nth / (c.runs - 1) - 0.5) : 0);
  }
  return list;
})();

function colour(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
}

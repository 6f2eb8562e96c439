// Runs side by side: a row for each metric of each workload, a column for each chosen run.
const side = {sort: -1, down: true};

function drawSide() {
  const runs = chosen.runs,
    head = find("side-table").tHead.rows[0],
    body = find("side-table").tBodies[0];
  find("side-help").textContent = runs.length
    ? "The change of head against its base in each run, with its 95 % interval. " +
      "The button at the head of a column sorts by its changes."
    : "Tick runs in the table of changes to show them here.";
  find("side-table").closest(".scroll").hidden = find("side-filter").hidden = !runs.length;
  if (!runs.length) return;
  if (side.sort >= runs.length) side.sort = -1;
  head.replaceChildren(
    element("th", {scope: "col"}, "Metric"),
    ...runs.map((index, i) => {
      const run = data.runs[index],
        active = side.sort === i;
      const th = element("th", {
        scope: "col",
        className: "number",
        ariaSort: active ? (side.down ? "descending" : "ascending") : "none",
      });
      const sort = element(
        "button",
        {type: "button"},
        element("code", {}, run.head.short),
        element("span", {ariaHidden: "true"}, active ? (side.down ? " ↓" : " ↑") : ""),
      );
      sort.addEventListener("click", () => {
        side.down = active ? !side.down : true;
        side.sort = i;
        drawSide();
      });
      const close = element(
        "button",
        {type: "button", className: "close", ariaLabel: `remove ${run.head.short}`},
        "×",
      );
      close.addEventListener("click", () => {
        chosen.runs = runs.filter(r => r !== index);
        drawSide();
        drawTable();
        remember();
      });
      th.append(
        sort,
        close,
        element("div", {className: "soft"}, element("a", {href: run.page}, date(run.started)), " " + run.host),
      );
      return th;
    }),
  );
  body.replaceChildren(...sideRows(runs).map(sideRow));
}

// sideRows lists the metrics that at least one of the runs has, filtered and sorted.
function sideRows(runs) {
  const words = find("side-search")
      .value.toLowerCase()
      .split(/\s+/)
      .filter(w => w),
    verdict = find("side-verdict").value;
  const least = Number(find("side-least").value) || 0,
    rows = [];
  const results = runs.map(run => data.results.filter(r => r.run === run));
  data.workloads.forEach((workload, w) =>
    workload.metrics.forEach((metric, m) => {
      const figures = results.map(list => list.find(r => r.workload === w)).map(r => (r ? r.figures[m] : null));
      const calls = figures.map(f => direction(metric, f)),
        name = workload.name + " " + metric.title + " " + metric.name;
      const size = Math.max(...figures.map(f => (f && exists(f[AT.change]) ? Math.abs(f[AT.change]) : -1)));
      if (
        figures.every(f => !f) ||
        !words.every(word => name.toLowerCase().includes(word)) ||
        size < least ||
        (verdict === "none" && calls.some(c => c)) ||
        ((verdict === "worse" || verdict === "better") && !calls.includes(verdict))
      )
        return;
      rows.push({workload, metric, figures, calls, index: rows.length});
    }),
  );
  if (side.sort < 0) return rows;
  const key = r => (r.figures[side.sort] ? orNone(r.figures[side.sort][AT.change]) : -Infinity);
  return rows.sort(
    (a, b) => (side.down ? -1 : 1) * (key(a) === key(b) ? 0 : key(a) < key(b) ? -1 : 1) || a.index - b.index,
  );
}

function sideRow(r) {
  const several = data.workloads.length > 1;
  return element(
    "tr",
    {},
    element(
      "th",
      {scope: "row"},
      ...breakable(r.metric.title),
      several ? element("div", {className: "soft"}, r.workload.name) : null,
    ),
    ...r.figures.map((f, i) =>
      element(
        "td",
        {className: "number"},
        element(
          "div",
          {className: r.calls[i] === "better" ? "good call" : r.calls[i] === "worse" ? "bad call" : ""},
          r.calls[i] ? element("span", {title: r.calls[i]}, r.calls[i] === "better" ? "✔ " : "✘ ") : null,
          percent(f),
        ),
        element("div", {className: "soft"}, interval(f)),
        element(
          "div",
          {className: "soft"},
          f ? `${quantity(r.metric, f[AT.base])} → ${quantity(r.metric, f[AT.head])}` : "",
        ),
      ),
    ),
  );
}

function startSide() {
  for (const id of ["side-search", "side-verdict", "side-least"]) find(id).addEventListener("input", drawSide);
  find("side-filter").addEventListener("submit", event => event.preventDefault());
  drawSide();
}

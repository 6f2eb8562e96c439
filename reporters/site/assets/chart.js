// The large chart: one metric of a workload over commits or time.
// Its points, the results in axis order, the visible window of the axis, and the index of the chosen result.
const chart = {plot: null, points: [], stops: [], window: [0, 1], at: -1, pinned: false};

const xOf = run => (chosen.axis === "commit" ? run.slot : run.started);

// pointsOf lists the points of a metric: head and base; or with several hosts only head, in each host's colour; or the
// changes.
function pointsOf(workload, host, index) {
  const metric = data.workloads[workload].metrics[index],
    hosts = hostsOf(workload),
    points = [];
  const add = (r, figure, from, shape, colour, factor, series) => {
    if (!figure || !exists(figure[from])) return;
    const scaled = v => (exists(v) ? v / factor : null);
    points.push({
      x: xOf(data.runs[r.run]),
      y: figure[from] / factor,
      low: scaled(figure[from + 1]),
      high: scaled(figure[from + 2]),
      shape,
      colour,
      result: r,
      series: series + " " + r.line,
    });
  };
  for (const r of resultsOf(workload, host)) {
    const figure = r.figures[index];
    if (chosen.quantity === "change") {
      const tone = {better: "good", worse: "bad", "": "neutral"}[direction(metric, figure)];
      add(r, figure, AT.change, "head", tone, 1, "change");
    } else if (!host && hosts.length > 1) {
      add(
        r,
        figure,
        AT.head,
        "head",
        hostColours[hosts.indexOf(data.runs[r.run].host) % hostColours.length],
        metric.factor,
        "head",
      );
    } else {
      add(r, figure, AT.base, "base", "base", metric.factor, "base");
      add(r, figure, AT.head, "head", "head", metric.factor, "head");
    }
  }
  return points.sort((a, b) => a.x - b.x);
}

function hostsOf(workload) {
  return [...new Set(data.results.filter(r => r.workload === workload).map(r => data.runs[r.run].host))].sort();
}

// aligned converts points to uPlot's columns: one series for each arm of each line of comparable runs, so that no line
// joins runs that are not comparable.
function aligned(points) {
  const xs = [...new Set(points.map(p => p.x))].sort((a, b) => a - b),
    index = new Map(xs.map((x, i) => [x, i]));
  const names = [...new Set(points.map(p => p.series))];
  const columns = names.map(() => new Array(xs.length).fill(undefined));
  for (const p of points) columns[names.indexOf(p.series)][index.get(p.x)] = p.y;
  const inks = names.map(name => points.find(p => p.series === name).colour);
  return {columns: [xs, ...columns], inks};
}

// range returns the range of points and their intervals, with some room around it. An interval much wider than the
// spread of the points is cut, so that it does not flatten them.
function range(points, zero) {
  let low = Infinity,
    high = -Infinity,
    farLow = Infinity,
    farHigh = -Infinity;
  for (const p of points) {
    low = Math.min(low, p.y);
    high = Math.max(high, p.y);
    farLow = Math.min(farLow, exists(p.low) ? p.low : p.y);
    farHigh = Math.max(farHigh, exists(p.high) ? p.high : p.y);
  }
  if (low > high) return [0, 1];
  if (zero) {
    low = Math.min(low, 0);
    high = Math.max(high, 0);
  }
  const span = high - low || Math.abs(high) * 0.02 || 1;
  low = Math.max(Math.min(low, farLow), low - span);
  high = Math.min(Math.max(high, farHigh), high + span);
  const room = (high - low) * 0.06 || span;
  return [low - room, high + room];
}

// extent is the whole axis: half a slot, or a little time, beyond the first and the last point.
function extent(points) {
  if (!points.length) return [0, 1];
  const low = points[0].x,
    high = points[points.length - 1].x;
  const room = chosen.axis === "commit" ? 0.5 : Math.max(3600, (high - low) * 0.02);
  return [low - room, high + room];
}

function commitTicks(u, axis, min, max) {
  const width = u.bbox.width / devicePixelRatio,
    step = Math.max(1, Math.ceil(((max - min) * 76) / width)),
    ticks = [];
  for (let i = Math.ceil(min / step) * step; i <= max; i += step) if (slots[i]) ticks.push(i);
  return ticks;
}

function axes(title) {
  const common = {
    stroke: colours.text,
    font: "12px " + font,
    labelFont: "13px " + font,
    ticks: {stroke: colours.axis, width: 1, size: 5},
    grid: {stroke: colours.grid, width: 1},
  };
  const x = {...common, grid: {show: false}, size: 34, border: {show: true, stroke: colours.axis, width: 1}};
  if (chosen.axis === "commit") {
    x.splits = commitTicks;
    x.values = (u, splits) => splits.map(i => (slots[i] ? slots[i].commit.short : ""));
  } else {
    x.space = 80;
  }
  const y = {...common, size: (u, values) => 12 + Math.max(20, ...(values || []).map(v => 7 * String(v).length))};
  return [x, y];
}

const font = 'system-ui, -apple-system, "Segoe UI", Arial, sans-serif';

// drawChart draws the chosen metric over the whole axis.
function drawChart() {
  if (chart.plot) chart.plot.destroy();
  const box = find("chart"),
    metric = data.workloads[chosen.workload].metrics[chosen.metric];
  chart.points = pointsOf(chosen.workload, chosen.host, chosen.metric);
  chart.stops = [...new Set(chart.points.map(p => p.result))].sort(
    (a, b) => xOf(data.runs[a.run]) - xOf(data.runs[b.run]) || a.run - b.run,
  );
  leave();
  const change = chosen.quantity === "change",
    {columns, inks} = aligned(chart.points),
    [low, high] = extent(chart.points);
  find("chart-title").textContent = change
    ? `Change of head against base: ${metric.title}, %`
    : metric.title + (metric.unit ? `, ${metric.unit}` : "");
  chart.plot = new uPlot(
    {
      width: Math.max(200, box.clientWidth),
      height: box.clientWidth < 500 ? 260 : 320,
      ms: 1e-3,
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
      legend: {show: false},
      padding: [10, 12, 0, 0],
      cursor: {points: {show: false}, drag: {x: true, y: false, dist: 5}, y: false},
      scales: {
        x: {time: chosen.axis === "time", range: (u, min, max) => (chart.window = [min, max])},
        y: {
          range: () =>
            range(
              chart.points.filter(p => p.x >= chart.window[0] && p.x <= chart.window[1]),
              change,
            ),
        },
      },
      axes: axes(),
      series: [
        {},
        ...inks.map(ink => ({
          stroke: colours[change ? "axis" : ink],
          width: 1.25,
          spanGaps: true,
          points: {show: false},
        })),
      ],
      hooks: {
        drawAxes: [u => change && zeroLine(u)],
        draw: [
          u => {
            drawMarks(u, chart.points);
            drawChosen(
              u,
              chart.points.filter(p => p.result === chart.stops[chart.at]),
            );
          },
        ],
        setCursor: [u => hover(u)],
        setScale: [
          (u, key) => {
            if (key === "x") box.dataset.window = chart.window.join(" ");
          },
        ],
      },
    },
    columns,
    box,
  );
  box.append(find("tip")); // on a phone it is below the chart
  // uPlot's own double-click handler would zoom to the range of its data.
  chart.plot.over.addEventListener("dblclick", () => zoomTo(...extent(chart.points)));
  zoomTo(low, high);
}

function zoomTo(low, high) {
  chart.plot.setScale("x", {min: low, max: high});
}

function zoomBy(factor) {
  const {min, max} = chart.plot.scales.x,
    [low, high] = extent(chart.points);
  const stop = chart.stops[chart.at],
    middle = stop ? xOf(data.runs[stop.run]) : (min + max) / 2;
  const half = Math.max(((max - min) * factor) / 2, chosen.axis === "commit" ? 1 : 3600);
  zoomTo(Math.max(low, middle - half), Math.min(high, middle + half));
}

// nearest returns the index of the result whose point is nearest to a position on the plot, or -1 if none is near.
function nearest(u, left, top) {
  let best = -1,
    least = 40 * 40;
  for (const p of chart.points) {
    const dx = u.valToPos(p.x, "x") - left;
    if (Math.abs(dx) > 40) continue;
    const dy = (u.valToPos(p.y, "y") - top) / 4; // horizontal distance counts more
    if (dx * dx + dy * dy < least) {
      least = dx * dx + dy * dy;
      best = chart.stops.indexOf(p.result);
    }
  }
  return best;
}

function hover(u) {
  if (chart.pinned || u.cursor.left === undefined || u.cursor.left < 0) return;
  const at = nearest(u, u.cursor.left, u.cursor.top);
  if (at !== chart.at) {
    if (at < 0) leave();
    else show(at);
  }
}

function leave() {
  chart.at = -1;
  chart.pinned = false;
  find("tip").hidden = true;
  if (chart.plot) chart.plot.redraw(false);
}

// show chooses a result: it marks the points with a ring and shows their details next to them.
function show(at) {
  chart.at = at;
  const u = chart.plot,
    stop = chart.stops[at],
    run = data.runs[stop.run],
    tip = find("tip");
  const x = xOf(run),
    {min, max} = u.scales.x;
  if (x < min || x > max) zoomTo(x - (max - min) / 2, x + (max - min) / 2);
  tip.replaceChildren(...describe(stop));
  tip.hidden = false;
  u.redraw(false);
  const box = find("chart"),
    left = u.valToPos(x, "x") + u.bbox.left / devicePixelRatio;
  tip.classList.toggle("pinned", chart.pinned);
  const width = tip.offsetWidth;
  tip.style.left =
    Math.max(0, Math.min(box.clientWidth - width, left + (left > box.clientWidth / 2 ? -width - 14 : 14))) + "px";
}

// describe returns the details of a result for the shown metric.
function describe(r) {
  const run = data.runs[r.run],
    metric = data.workloads[r.workload].metrics[chosen.metric],
    f = r.figures[chosen.metric];
  const row = (name, value, more) =>
    element(
      "div",
      {},
      element("dt", {}, name),
      element("dd", {}, value, more ? element("span", {className: "soft"}, " " + more) : null),
    );
  const within = from =>
    exists(f[from + 1]) ? `${quantity(metric, f[from + 1])} to ${quantity(metric, f[from + 2])}` : "";
  const primary = chosen.metric === r.primary,
    call = direction(metric, f);
  return [
    element("p", {}, element("code", {}, run.head.short), " " + run.head.subject),
    element(
      "p",
      {},
      primary
        ? badge(data.words[r.word])
        : call
          ? badge({word: call, glyph: call === "better" ? "✔" : "✘", tone: call === "better" ? "good" : "bad"})
          : element("span", {className: "soft"}, "no significant change"),
    ),
    element(
      "dl",
      {},
      row("change", percent(f), interval(f)),
      row("head", quantity(metric, f[AT.head]), within(AT.head)),
      row("base", quantity(metric, f[AT.base]), within(AT.base)),
      row("against", element("code", {}, run.base.short)),
      row("run", moment(run.started) + " UTC", `${r.pairs} pairs`),
      row("host", run.host),
    ),
    element("p", {}, element("a", {href: run.page}, "open the report")),
  ];
}

// The small charts: every metric of the workload, each a button that shows it large.
const small = {plots: []};

function drawSmall() {
  small.plots.forEach(p => p.destroy());
  small.plots = [];
  const workload = data.workloads[chosen.workload],
    box = find("small");
  const boxes = workload.metrics.map((metric, i) => {
    const points = pointsOf(chosen.workload, chosen.host, i),
      last = lastOf(i);
    const call = direction(metric, last);
    const plot = element("div", {className: "spark"});
    const button = element(
      "button",
      {type: "button", className: "card", ariaPressed: String(i === chosen.metric)},
      element("span", {className: "name"}, metric.title),
      element("span", {className: "last"}, last ? quantity(metric, last[AT.head]) : "–"),
      element(
        "span",
        {className: "delta" + (call ? " " + (call === "better" ? "good" : "bad") : "")},
        (call ? (call === "better" ? "✔ " : "✘ ") : "") + percent(last),
      ),
      plot,
    );
    button.addEventListener("click", () => {
      chosen.metric = i;
      update();
      find("chart").scrollIntoView({block: "nearest"});
    });
    return {button, plot, points};
  });
  box.replaceChildren(...boxes.map(b => b.button));
  if (boxes.length < 2) box.replaceChildren();
  // They are drawn after the large chart is visible.
  requestAnimationFrame(() =>
    setTimeout(() => {
      for (const b of boxes) if (b.points.length && b.plot.isConnected) small.plots.push(spark(b.plot, b.points));
      document.documentElement.dataset.small = String(small.plots.length);
    }),
  );
}

// lastOf returns a metric's figure in the newest result that has one, or null.
function lastOf(metric) {
  const list = resultsOf(chosen.workload, chosen.host);
  for (let i = list.length - 1; i >= 0; i--) if (list[i].figures[metric]) return list[i].figures[metric];
  return null;
}

function spark(box, points) {
  const {columns, inks} = aligned(points),
    [low, high] = extent(points),
    change = chosen.quantity === "change";
  const plot = new uPlot(
    {
      width: Math.max(80, box.clientWidth),
      height: 48,
      legend: {show: false},
      cursor: {show: false},
      padding: [5, 5, 5, 5],
      scales: {x: {time: false, range: () => [low, high]}, y: {range: () => range(points, change)}},
      axes: [{show: false}, {show: false}],
      series: [
        {},
        ...inks.map(ink => ({
          stroke: colours[change ? "axis" : ink],
          width: 1.25,
          spanGaps: true,
          points: {show: points.length < 120, size: 3, fill: colours[change ? "accent" : ink], width: 0},
        })),
      ],
      hooks: {drawClear: [u => change && zeroLine(u)]},
    },
    columns,
    box,
  );
  return plot;
}

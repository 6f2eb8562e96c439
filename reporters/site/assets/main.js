// Start, choices, and the handlers of keyboard and pointer.

// remember stores the choices in the address.
function remember() {
  const w = data.workloads[chosen.workload],
    list = new URLSearchParams();
  list.set("workload", w.name);
  if (chosen.host) list.set("host", chosen.host);
  list.set("metric", w.metrics[chosen.metric].name);
  if (chosen.quantity !== "value") list.set("show", chosen.quantity);
  if (chosen.axis !== "commit") list.set("axis", chosen.axis);
  if (chosen.runs.length) list.set("runs", chosen.runs.map(r => data.runs[r].id).join(","));
  history.replaceState(null, "", "#" + list);
}

// recall restores the choices from the address. It ignores names that the data lacks.
function recall() {
  const list = new URLSearchParams(location.hash.slice(1));
  const w = data.workloads.findIndex(one => one.name === list.get("workload"));
  if (w >= 0) chosen.workload = w;
  if (hostsOf(chosen.workload).includes(list.get("host"))) chosen.host = list.get("host");
  const m = data.workloads[chosen.workload].metrics.findIndex(one => one.name === list.get("metric"));
  if (m >= 0) chosen.metric = m;
  if (list.get("show") === "change") chosen.quantity = "change";
  if (list.get("axis") === "time") chosen.axis = "time";
  const runs = (list.get("runs") || "")
    .split(",")
    .map(id => data.runs.findIndex(run => run.id === id))
    .filter(i => i >= 0);
  // By default, the newest two runs are side by side.
  const measured = data.runs.map((run, i) => i).filter(i => data.results.some(r => r.run === i));
  chosen.runs = runs.length ? [...new Set(runs)] : measured.slice(-2).reverse();
}

const titles = {total: "total", stage: "stages", metric: "other metrics"};

// fill fills the controls with the workload's options.
function fill() {
  const w = data.workloads[chosen.workload],
    hosts = hostsOf(chosen.workload);
  options(
    find("workload"),
    data.workloads.map((one, i) => [String(i), one.name]),
  );
  find("workload").value = String(chosen.workload);
  options(
    find("host"),
    hosts.length > 1 ? [["", `all ${hosts.length}`], ...hosts.map(h => [h, h])] : [["", hosts[0]]],
  );
  find("host").value = chosen.host;
  find("metric").replaceChildren(
    ...Object.keys(titles)
      .map(kind => {
        const own = w.metrics.map((m, i) => [m, i]).filter(([m]) => m.kind === kind);
        return own.length
          ? element(
              "optgroup",
              {label: titles[kind]},
              ...own.map(([m, i]) => element("option", {value: String(i)}, m.title)),
            )
          : null;
      })
      .filter(e => e),
  );
  find("metric").value = String(chosen.metric);
  for (const name of ["quantity", "axis"])
    document.querySelector(`input[name=${name}][value=${chosen[name]}]`).checked = true;
}

// update redraws the page for the current choices.
function update() {
  fill();
  readColours();
  drawChart();
  drawSmall();
  explain();
  remember();
}

// explain writes the key, the caption and the list of lines.
function explain() {
  const hosts = hostsOf(chosen.workload),
    several = !chosen.host && hosts.length > 1,
    change = chosen.quantity === "change";
  const key = (ink, mark, name) =>
    element("span", {}, element("span", {className: "ink-" + ink, ariaHidden: "true"}, mark), " " + name);
  find("keys").replaceChildren(
    ...(change
      ? [key("good", "■", "better"), key("bad", "■", "worse"), key("neutral", "■", "no significant change")]
      : several
        ? hosts.map((h, i) => key(hostColours[i % hostColours.length], "■", h))
        : [key("base", "●", "base"), key("head", "■", "head")]),
  );
  const lines = [...new Set(resultsOf(chosen.workload, chosen.host).map(r => r.line))];
  find("caption").textContent =
    (change
      ? "The change of head against its base in every run"
      : several
        ? "Head in every run"
        : "Both arms of every run, at the commit of head") + ", with 95 % intervals. A line joins comparable runs.";
  // The properties that differ between the lines are the reason why the lines are separate.
  const differ =
    lines.length < 2
      ? []
      : data.lines[lines[0]].parts
          .map((p, i) => i)
          .filter(i => new Set(lines.map(l => data.lines[l].parts[i].Value)).size > 1);
  const box = find("lines");
  box.hidden = lines.length < 2;
  box.querySelector("summary").textContent = `${lines.length} lines: what differs between them`;
  const names = i => data.lines[lines[0]].parts[i].Name;
  box
    .querySelector("thead")
    .replaceChildren(
      element(
        "tr",
        {},
        element("th", {scope: "col"}, "From"),
        element("th", {scope: "col", className: "number"}, "Runs"),
        ...differ.map(i => element("th", {scope: "col"}, names(i))),
      ),
    );
  box.querySelector("tbody").replaceChildren(
    ...lines.map(line => {
      const runs = resultsOf(chosen.workload, chosen.host).filter(r => r.line === line);
      return element(
        "tr",
        {},
        element("td", {className: "unbroken"}, date(data.runs[runs[0].run].started)),
        element("td", {className: "number"}, String(runs.length)),
        ...differ.map(i => element("td", {}, data.lines[line].parts[i].Value || "–")),
      );
    }),
  );
}

function keyboard(event) {
  if (event.target !== find("chart") || event.ctrlKey || event.metaKey || event.altKey || !chart.stops.length) return;
  const last = chart.stops.length - 1,
    at = chart.at;
  const steps = {
    ArrowRight: at < 0 ? last : Math.min(last, at + 1),
    ArrowLeft: at < 0 ? last : Math.max(0, at - 1),
    Home: 0,
    End: last,
  };
  if (event.key in steps) {
    chart.pinned = true;
    show(steps[event.key]);
  } else if (event.key === "Enter" && at >= 0) location.href = data.runs[chart.stops[at].run].page;
  else if (event.key === "Escape") leave();
  else if (event.key === "+" || event.key === "=") zoomBy(0.5);
  else if (event.key === "-") zoomBy(2);
  else if (event.key === "0") zoomTo(...extent(chart.points));
  else return;
  event.preventDefault();
}

function listen() {
  for (const id of ["workload", "host", "metric"]) {
    find(id).addEventListener("change", () => {
      chosen[id] = id === "host" ? find(id).value : Number(find(id).value);
      if (id === "workload") {
        chosen.metric = 0;
        chosen.host = "";
      }
      update();
    });
  }
  for (const input of document.querySelectorAll("input[type=radio]")) {
    input.addEventListener("change", () => {
      chosen[input.name] = input.value;
      update();
    });
  }
  find("zoom-in").addEventListener("click", () => zoomBy(0.5));
  find("zoom-out").addEventListener("click", () => zoomBy(2));
  find("zoom-reset").addEventListener("click", () => zoomTo(...extent(chart.points)));
  const box = find("chart");
  box.addEventListener("keydown", keyboard);
  // A press that does not become a drag keeps the run under the pointer, so that its link can be reached.
  let pressed = null;
  box.addEventListener("mousedown", event => {
    pressed = event.clientX;
  });
  box.addEventListener("click", event => {
    if (event.target.closest(".tip") || pressed === null || Math.abs(event.clientX - pressed) > 5) return;
    const bounds = chart.plot.over.getBoundingClientRect();
    const at = nearest(chart.plot, event.clientX - bounds.left, event.clientY - bounds.top);
    chart.pinned = at >= 0;
    if (at >= 0) show(at);
    else leave();
  });
  box.addEventListener("mouseleave", () => {
    if (!chart.pinned) leave();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  let width = box.clientWidth;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    update();
  }).observe(box);
}

function start() {
  document.querySelector("main").hidden = false;
  const hosts = new Set(data.runs.map(run => run.host)),
    plural = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;
  find("summary").textContent =
    [
      plural(data.runs.length, "run"),
      plural(slots.length, "commit"),
      plural(data.workloads.length, "workload"),
      plural(hosts.size, "host"),
    ].join(", ") +
    (data.runs.length ? `; the newest from ${moment(data.runs[data.runs.length - 1].started)} UTC` : "");
  if (!data.results.length) {
    document
      .querySelector("main")
      .replaceChildren(
        element("p", {}, "No run has measured anything yet."),
        element(
          "ul",
          {},
          ...data.runs.map(run =>
            element("li", {}, element("a", {href: run.page}, moment(run.started)), " ", badge(data.words[run.word])),
          ),
        ),
      );
    document.documentElement.dataset.ready = "empty";
    return;
  }
  recall();
  update();
  document.documentElement.dataset.plot = String(Math.round(performance.now()));
  startTable();
  startSide();
  listen();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}
start();

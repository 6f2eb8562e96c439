// The table of changes: a row for each workload of each run, in any order, filtered by text, verdict and size.
const table = {sort: "started", down: true, shown: 50, rows: []};
const step = 50;

// entries are all results, and a row for each run that measured nothing, such as one that failed.
const entries = (() => {
  const measured = new Set(data.results.map(r => r.run));
  const others = data.runs.flatMap((run, i) =>
    measured.has(i) ? [] : [{run: i, workload: -1, word: run.word, figures: [], primary: 0}],
  );
  return [...data.results, ...others].sort((a, b) => a.run - b.run);
})();
const workloadName = r => (r.workload < 0 ? "–" : data.workloads[r.workload].name);

const figureOf = r => r.figures[r.primary];
const metricOf = r => data.workloads[r.workload].metrics[r.primary];
const orNone = v => (exists(v) ? v : -Infinity);
const tones = ["good", "neutral", "caution", "bad"];

// columns define the cells of a row and their sort keys.
const columns = [
  {key: "side", title: "Pick", cell: r => tick(r.run)},
  {
    key: "started",
    title: "Started, UTC",
    by: r => data.runs[r.run].started,
    cell: r => element("a", {href: data.runs[r.run].page}, moment(data.runs[r.run].started)),
  },
  {
    key: "commit",
    title: "Commit",
    by: r => data.runs[r.run].slot,
    cell: r => {
      const run = data.runs[r.run];
      return element(
        "span",
        {},
        element("code", {title: run.head.sha}, run.head.short),
        " " + run.head.subject,
        element(
          "span",
          {className: "soft against"},
          " against ",
          element("code", {title: run.base.subject}, run.base.short),
        ),
      );
    },
  },
  {
    key: "workload",
    title: "Workload",
    by: r => workloadName(r),
    cell: r => workloadName(r),
  },
  {key: "host", title: "Host", by: r => data.runs[r.run].host, cell: r => data.runs[r.run].host},
  {
    key: "verdict",
    title: "Verdict",
    by: r => tones.indexOf(data.words[r.word].tone),
    cell: r => badge(data.words[r.word]),
  },
  {
    key: "from",
    title: "Base",
    number: true,
    by: r => orNone(figureOf(r) && figureOf(r)[AT.base]),
    cell: r => (figureOf(r) ? quantity(metricOf(r), figureOf(r)[AT.base]) : "–"),
  },
  {
    key: "to",
    title: "Head",
    number: true,
    by: r => orNone(figureOf(r) && figureOf(r)[AT.head]),
    cell: r => (figureOf(r) ? quantity(metricOf(r), figureOf(r)[AT.head]) : "–"),
  },
  {
    key: "change",
    title: "Change",
    number: true,
    by: r => orNone(figureOf(r) && figureOf(r)[AT.change]),
    cell: r => percent(figureOf(r)),
  },
  {key: "interval", title: "95 % CI", number: true, cell: r => interval(figureOf(r)) || "–"},
];

// tick returns the checkbox that adds a run to the side-by-side view.
function tick(run) {
  const box = element("input", {
    type: "checkbox",
    checked: chosen.runs.includes(run),
    ariaLabel: `show the run of ${data.runs[run].head.short} from ${moment(data.runs[run].started)} side by side`,
  });
  box.addEventListener("change", () => {
    chosen.runs = box.checked ? [...chosen.runs.filter(r => r !== run), run] : chosen.runs.filter(r => r !== run);
    for (const other of document.querySelectorAll(`#changes tr[data-run="${run}"] input`))
      other.checked = box.checked;
    drawSide();
    remember();
  });
  return box;
}

// hay has the searchable text of each row.
const hay = entries.map(r => {
  const run = data.runs[r.run];
  return [run.head.sha, run.head.subject, run.base.sha, workloadName(r), run.host, run.id].join("\n").toLowerCase();
});

function matching() {
  const words = find("search")
      .value.toLowerCase()
      .split(/\s+/)
      .filter(w => w),
    verdict = find("verdict").value;
  const least = Number(find("least").value) || 0;
  return entries.filter(
    (r, i) =>
      words.every(w => hay[i].includes(w)) &&
      (!verdict || data.words[r.word].word === verdict) &&
      (!least || (figureOf(r) && exists(figureOf(r)[AT.change]) && Math.abs(figureOf(r)[AT.change]) >= least)),
  );
}

// sizeOf is the sort key for the absolute size of a change.
const sizeOf = r => orNone(figureOf(r) && exists(figureOf(r)[AT.change]) ? Math.abs(figureOf(r)[AT.change]) : null);

function sorted(rows) {
  const column = columns.find(c => c.key === table.sort),
    by = table.sort === "size" ? sizeOf : column.by;
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a === b ? 0 : a < b ? -1 : 1);
  return rows
    .map((r, i) => [by(r), i, r])
    .sort((a, b) => (table.down ? -1 : 1) * compare(a[0], b[0]) || b[1] - a[1])
    .map(e => e[2]);
}

function drawTable() {
  const found = matching();
  table.rows = sorted(found);
  find("changes").tHead.rows[0].replaceChildren(...columns.map(header));
  find("changes").tBodies[0].replaceChildren(...table.rows.slice(0, table.shown).map(row));
  find("count").textContent =
    found.length === entries.length ? `${found.length} results` : `${found.length} of ${entries.length} results`;
  const left = found.length - table.shown;
  find("more").hidden = left <= 0;
  find("more").textContent = `show ${Math.min(step, left)} more of ${left}`;
  find("sort").value = table.sort + (table.down ? "-" : "+");
}

function header(column) {
  const th = element("th", {scope: "col", className: column.number ? "number" : ""});
  if (!column.by) {
    th.textContent = column.title;
    return th;
  }
  const active = table.sort === column.key;
  th.ariaSort = active ? (table.down ? "descending" : "ascending") : "none";
  const button = element(
    "button",
    {type: "button"},
    column.title,
    element("span", {ariaHidden: "true"}, active ? (table.down ? " ↓" : " ↑") : ""),
  );
  button.dataset.key = column.key;
  button.addEventListener("click", () => {
    sortBy(column.key, active ? !table.down : column.number || column.key === "started");
    find("changes").tHead.querySelector(`button[data-key="${column.key}"]`).focus();
  });
  th.append(button);
  return th;
}

function sortBy(key, down) {
  table.sort = key;
  table.down = down;
  table.shown = step;
  drawTable();
}

function row(r) {
  const tr = element(
    "tr",
    {},
    ...columns.map(column => {
      const td = element("td", {className: (column.number ? "number at-" : "at-") + column.key}, column.cell(r));
      return td;
    }),
  );
  tr.dataset.run = r.run;
  return tr;
}

function startTable() {
  const words = [...new Set(entries.map(r => data.words[r.word].word))].sort();
  options(find("verdict"), [["", "any"], ...words.map(w => [w, w])]);
  options(find("sort"), [
    ["started-", "newest first"],
    ["started+", "oldest first"],
    ["commit-", "newest commit"],
    ["commit+", "oldest commit"],
    ["change-", "most increased"],
    ["change+", "most decreased"],
    ["size-", "largest change"],
    ["size+", "smallest change"],
    ["verdict-", "worst verdict"],
    ["verdict+", "best verdict"],
    ["workload+", "workload"],
    ["workload-", "workload, from z"],
    ["host+", "host"],
    ["host-", "host, from z"],
    ["from-", "largest base value"],
    ["from+", "smallest base value"],
    ["to-", "largest head value"],
    ["to+", "smallest head value"],
  ]);
  find("sort").addEventListener("change", () =>
    sortBy(find("sort").value.slice(0, -1), find("sort").value.endsWith("-")),
  );
  for (const id of ["search", "verdict", "least"]) {
    find(id).addEventListener("input", () => {
      table.shown = step;
      drawTable();
    });
  }
  find("filter").addEventListener("submit", event => event.preventDefault());
  find("more").addEventListener("click", () => {
    table.shown += step;
    drawTable();
  });
  drawTable();
}

// Behaviour of every page: theme, charts, choices, search and sort. Nothing here asks the network.
"use strict";
(() => {
  const root = document.documentElement;
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const stored = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
  const figures = stored("figures") ?? {};
  const charts = [...document.querySelectorAll("div[data-chart]")];
  const settings = (shape) => ({
    responsive: true,
    displaylogo: false,
    modeBarButtons: [["toImage"]],
    displayModeBar: shape === "narrow" ? false : "hover",
    showTips: false,
  });

  const theme = () => root.dataset.theme ?? (prefersDark.matches ? "dark" : "light");

  const NARROW = 520; // pixels
  const isNarrow = (chart) => chart.clientWidth < NARROW;

  const PAPER = 680; // pixels: charts as wide as a sheet, whatever the window

  function draw(chart, onPaper = false) {
    const shapes = figures[chart.dataset.chart];
    const shape = isNarrow(chart) && shapes.narrow ? "narrow" : "wide";
    chart.dataset.shape = shape;
    const { data, layout } = structuredClone(shapes[shape][onPaper ? "light" : theme()]);
    if (onPaper) layout.width = PAPER;
    chart.style.minHeight = `${layout.height}px`;
    // A new plot is there at once; Plotly.react would let bands fade in, and a printer does not wait.
    return Plotly.newPlot(chart, data, layout, settings(shape));
  }

  const drawAll = (onPaper = false) => charts.map((chart) => draw(chart, onPaper));

  // -- theme ------------------------------------------------------------------------------------
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = theme() === "dark" ? "light" : "dark";
    drawAll();
  });
  prefersDark.addEventListener("change", () => drawAll());
  window.addEventListener("beforeprint", () => drawAll(true));
  window.addEventListener("afterprint", () => drawAll());

  window.addEventListener("resize", () => {
    for (const chart of charts) if ((chart.dataset.shape === "narrow") !== isNarrow(chart)) draw(chart);
  });

  // -- buttons that show another figure in the same place -------------------------------------------
  for (const group of document.querySelectorAll(".choice")) {
    group.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      for (const each of group.children) each.setAttribute("aria-pressed", String(each === button));
      const drawings = group.parentElement.querySelectorAll("[data-choice]");
      for (const each of drawings) each.hidden = each.dataset.choice !== button.dataset.shows;
      if (drawings.length) return;
      const chart = group.parentElement.querySelector("[data-chart]");
      chart.dataset.chart = button.dataset.shows;
      draw(chart);
    });
  }

  // -- whole labels in tooltips ---------------------------------------------------------------------
  const whole = stored("labels") ?? [];
  for (const label of document.querySelectorAll("[data-whole]")) label.title = whole[label.dataset.whole];

  // -- tables ---------------------------------------------------------------------------------------
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };

  function sort(table, column, descending) {
    const order = (a, b) => {
      const [x, y] = [valueOf(a, column), valueOf(b, column)];
      const found = typeof x === "number" ? x - y : x.localeCompare(y, undefined, { numeric: true });
      return descending ? -found : found;
    };
    const [body] = table.tBodies;
    body.append(...[...body.rows].sort(order));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button")?.addEventListener("click", () => {
        const numeric = head.classList.contains("number");
        const before = head.getAttribute("aria-sort");
        const descending = before ? before === "ascending" : numeric;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, column, descending);
      });
    });
  }

  for (const field of document.querySelectorAll("input[data-search]")) {
    const [body] = document.getElementById(field.dataset.search).tBodies;
    const rows = [...body.rows].map((row) => [row, searched(row)]);
    const status = field.parentElement.querySelector("output");
    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      status.textContent = words.length ? `${shown} of ${rows.length}` : "";
    };
    field.addEventListener("input", apply);
  }

  function searched(row) {
    const long = [...row.querySelectorAll("[data-whole]")].map((label) => label.title);
    return [row.textContent, ...long].join(" ").toLowerCase();
  }

  Promise.all(drawAll()).then(() => {
    root.dataset.drawn = "yes";
  });
})();

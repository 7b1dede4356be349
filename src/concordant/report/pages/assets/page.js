// Behaviour of every page: theme, choices, search, sort, what can be taken along. Nothing asks the network.
"use strict";
(() => {
  const root = document.documentElement;
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const stored = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

  // -- theme: as the reader's system has it, or as it was last chosen -----------------------------------
  const memory = (() => {
    try {
      return window.localStorage;
    } catch {
      return null; // a browser may refuse
    }
  })();
  const remembered = memory?.getItem("concordant-theme");
  if (remembered === "light" || remembered === "dark") root.dataset.theme = remembered;
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme ?? (prefersDark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    memory?.setItem("concordant-theme", root.dataset.theme);
  });

  // -- buttons that show cells as shares of their row or of their column ---------------------------------
  const [LEAST, PALE, STRONG] = [0.1, 0.42, 0.9]; // as in figures/svg.py
  const records = new Map(); // cell -> what it shows at first

  function showShare(drawing, place) {
    const span = drawing.querySelector(".value") ? PALE : STRONG;
    for (const cell of drawing.querySelectorAll("[data-share]")) {
      const value = cell.nextElementSibling?.matches(".value") ? cell.nextElementSibling : null;
      if (!records.has(cell)) records.set(cell, [cell.getAttribute("fill-opacity"), value?.textContent]);
      const text = cell.dataset.share.split(" ")[place - 1];
      const [opacity, number] = records.get(cell);
      const share = place ? String(LEAST + (span * Number(text.replace(/[<>%]/g, ""))) / 100) : opacity;
      if (!cell.matches(".other")) cell.setAttribute("fill-opacity", share);
      if (value) value.textContent = place ? text : number;
    }
  }

  for (const group of document.querySelectorAll(".choice")) {
    group.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      for (const each of group.children) each.setAttribute("aria-pressed", String(each === button));
      for (const drawing of group.parentElement.querySelectorAll(".drawing"))
        showShare(drawing, Number(button.dataset.shows));
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
    let rows = null; // read when somebody searches
    const status = field.parentElement.querySelector("output");
    const apply = () => {
      rows ??= [...body.rows].map((row) => [row, searched(row)]);
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      status.textContent = words.length ? `${shown} of ${rows.length} rows listed` : "";
    };
    field.addEventListener("input", apply);
  }

  function searched(row) {
    const long = [...row.querySelectorAll("[data-whole]")].map((label) => label.title);
    return [row.textContent, ...long].join(" ").toLowerCase();
  }

  // -- one cluster through all partitions ---------------------------------------------------------------
  const threads = [...document.querySelectorAll("[data-thread]")];
  const follow = (thread) => {
    if (threads.length) root.classList.toggle("linking", thread !== undefined);
    for (const each of threads) each.classList.toggle("lit", each.dataset.thread === thread);
  };
  if (threads.length) document.addEventListener("pointerover", (event) => follow(event.target.dataset?.thread));

  // -- to take along: rows as CSV, drawings as SVG and PNG, the signature -----------------------------------------
  const name = document.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);

  function save(file, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const quoted = (cell) => {
    const text = cell.dataset.value ?? cell.innerText.trim().replace(/\s+/g, " ");
    // A sheet would take text that begins so for a formula.
    const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };

  for (const button of document.querySelectorAll("button[data-csv]")) {
    button.addEventListener("click", () => {
      const table = document.getElementById(button.dataset.csv);
      const rows = [table.tHead.rows[0], ...[...table.tBodies[0].rows].filter((row) => !row.hidden)];
      const text = rows.map((row) => [...row.cells].map(quoted).join(",")).join("\r\n");
      save(`${name}-${table.id}.csv`, new Blob([`\ufeff${text}\r\n`], { type: "text/csv" }));
    });
  }

  const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor"];

  function standalone(drawing) {
    // The colours of the page are properties of its style, which the file does not have.
    const copy = drawing.cloneNode(true);
    const [mine, theirs] = [drawing.querySelectorAll("*"), copy.querySelectorAll("*")];
    mine.forEach((element, place) => {
      const style = getComputedStyle(element);
      for (const key of PAINT) theirs[place].setAttribute(key, style.getPropertyValue(key));
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("font-family", "system-ui, sans-serif");
    copy.prepend(document.getElementById("hatch").cloneNode(true));
    return new XMLSerializer().serializeToString(copy);
  }

  const SCALE = 2; // pixels of a PNG for each of the drawing

  async function painted(drawing) {
    const { width, height } = drawing.viewBox.baseVal;
    const picture = new Image(width * SCALE, height * SCALE);
    const sized = standalone(drawing).replace("<svg ", `<svg width="${width * SCALE}" height="${height * SCALE}" `);
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sized)}`;
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(drawing.closest("section")).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  for (const button of document.querySelectorAll(".tools button")) {
    button.addEventListener("click", async () => {
      const figure = button.closest("figure");
      const drawing = [...figure.querySelectorAll("svg.drawing")].find((each) => each.checkVisibility());
      const kind = button.dataset.saves;
      const svg = () => new Blob([standalone(drawing)], { type: "image/svg+xml" });
      save(`${name}-${figure.dataset.chart}.${kind}`, kind === "png" ? await painted(drawing) : svg());
    });
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "copied";
    });
  }

  root.dataset.drawn = "yes";
})();

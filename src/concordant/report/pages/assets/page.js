// Behaviour of every page: theme, choices, search, sort, downloads. Nothing uses the network.
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

  // -- marks of narrow drawings are those of the wide one, in the same order; it alone has their data ---------
  const MARKS = ".band, .cell, .node";
  const twins = new Map();
  for (const figure of document.querySelectorAll("figure:has(.wide)")) {
    const [wide, narrow] = [".wide", ".narrow"].map((shape) => [...figure.querySelectorAll(`${shape} :is(${MARKS})`)]);
    if (wide.length !== narrow.length) continue;
    narrow.forEach((mark, place) => {
      twins.set(mark, wide[place]);
      Object.assign(mark.dataset, wide[place].dataset);
    });
  }

  // -- buttons that show cells as shares of their row or of their column ---------------------------------
  const [LEAST, PALE, STRONG] = [0.1, 0.42, 0.9]; // as in charts/svg.py
  const records = new Map(); // cell -> what it shows at first

  function showShare(drawing, place) {
    const span = drawing.querySelector(".value") ? PALE : STRONG;
    const cells = [...drawing.querySelectorAll("[data-share]")];
    const textOf = (cell) => cell.dataset.share.split(" ")[place - 1];
    const numberOf = (cell) => Number(textOf(cell).replace(/[<>%]/g, ""));
    const most = (kind) => Math.max(1, ...cells.filter(kind).map(numberOf));
    const isCore = (cell) => cell.matches(".core");
    // Cores have a scale of their own, as in charts/table.py, but not where cells show weight.
    const isStray = (cell) => !cell.matches(".core, .other");
    const scales = place ? { core: most(isCore), stray: most(isStray), all: most(() => true) } : null;
    const scaleOf = (cell) => (drawing.querySelector("[data-scale=all]") ? "all" : isCore(cell) ? "core" : "stray");
    for (const cell of cells) {
      const value = cell.nextElementSibling?.matches(".value") ? cell.nextElementSibling : null;
      if (!records.has(cell)) records.set(cell, [cell.getAttribute("fill-opacity"), value?.textContent]);
      const [opacity, number] = records.get(cell);
      const share = place ? String(LEAST + (span * numberOf(cell)) / scales[scaleOf(cell)]) : opacity;
      if (!cell.matches(".other")) cell.setAttribute("fill-opacity", share);
      if (value) value.textContent = !place ? number : value.matches(".alone") ? "" : textOf(cell);
    }
    for (const end of drawing.querySelectorAll("[data-scale]")) {
      if (!records.has(end)) records.set(end, end.textContent);
      end.textContent = place ? `${scales[end.dataset.scale]}%` : records.get(end);
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
    if (group.dataset.first !== "0") group.children[group.dataset.first].click();
  }

  // -- whole labels in tooltips ---------------------------------------------------------------------
  const whole = stored("labels") ?? [];
  for (const label of document.querySelectorAll("[data-whole]")) label.title = whole[label.dataset.whole];

  // -- tooltips of marks: immediately, and on touch, where they stay until another tap -------------------
  const tip = Object.assign(document.createElement("div"), { id: "tip", hidden: true });
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  let silenced = null; // the mark whose own title is taken away, so the browser does not show it as well

  const ownTitle = (mark) => mark?.querySelector(":scope > title");
  const titleOf = (mark) => ownTitle(mark) ?? ownTitle(twins.get(mark));

  function cellText(levels, event) {
    const cells = JSON.parse(levels.closest("section").querySelector("script.cells").textContent);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(levels.getScreenCTM().inverse());
    const [row, column] = [Math.floor(at.y), Math.floor(at.x)];
    const value = cells.values[row]?.[column];
    return value && `${value}\n${cells.names[row]}${cells.between}${(cells.columns ?? cells.names)[column]}`;
  }

  function tipText(target, event) {
    const levels = target.closest?.(".levels");
    if (levels) return cellText(levels, event);
    const mark = target.closest?.(".drawing *, [title]");
    if (!mark) return "";
    if (mark.closest(".drawing")) {
      for (let each = mark; each && !each.matches("svg"); each = each.parentElement) {
        const title = titleOf(each) ?? each.querySelector?.(":scope > .node > title");
        if (title) return silence(title, title.textContent);
      }
      return "";
    }
    return silence(mark, mark.title);
  }

  function silence(element, text) {
    unsilence();
    silenced = [element, text];
    if (element.matches("title")) element.textContent = "";
    else element.removeAttribute("title");
    return text;
  }

  function unsilence() {
    if (!silenced) return;
    const [element, text] = silenced;
    if (element.matches("title")) element.textContent = text;
    else element.title = text;
    silenced = null;
  }

  function showTip(text, x, y) {
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text.length > 600 ? `${text.slice(0, 600)}…` : text;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(x + 14, innerWidth - width - 6))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(6, y - height - 12) : y + 18}px`;
  }

  function hideTip() {
    unsilence();
    tip.hidden = true;
  }

  document.addEventListener("pointerover", (event) => {
    hideTip();
    showTip(tipText(event.target, event), event.clientX, event.clientY);
  });
  document.addEventListener("pointermove", (event) => {
    const levels = event.target.closest?.(".levels");
    if (levels) showTip(cellText(levels, event), event.clientX, event.clientY);
    else if (!tip.hidden) showTip(tip.textContent, event.clientX, event.clientY);
  });
  document.addEventListener("pointerout", (event) => event.pointerType !== "touch" && hideTip());
  document.addEventListener("scroll", hideTip, { capture: true, passive: true });
  document.addEventListener("focusin", (event) => {
    hideTip();
    if (!event.target.closest?.(".drawing") || !event.target.matches(":focus-visible")) return;
    const { left, bottom } = event.target.getBoundingClientRect();
    showTip(tipText(event.target, event), left, bottom - 14);
  });
  document.addEventListener("focusout", hideTip);

  // -- one tab stop for each chart and list: arrow keys go on from there ----------------------------------
  function rove(inside, selector) {
    const stops = () => [...inside.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const hold = (stop) => {
      for (const each of inside.querySelectorAll(selector)) each.setAttribute("tabindex", each === stop ? "0" : "-1");
    };
    hold(inside.querySelector(selector));
    inside.addEventListener("focusin", (event) => event.target.matches(selector) && hold(event.target));
    inside.addEventListener("keydown", (event) => {
      const all = stops();
      const here = all.indexOf(document.activeElement);
      const last = all.length - 1;
      const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: last };
      if (here < 0 || !(event.key in to) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      all[Math.max(0, Math.min(to[event.key], last))].focus();
    });
  }
  // Chromium makes an SVG focusable if it has a focus listener of its own.
  for (const drawing of document.querySelectorAll(".drawing")) rove(drawing.parentElement, "a");
  for (const body of document.querySelectorAll(".sortable tbody")) rove(body, "a");
  for (const list of document.querySelectorAll(".costliest")) rove(list, "a");
  for (const list of document.querySelectorAll(".cards")) rove(list, ".cluster > summary");

  // -- tables ---------------------------------------------------------------------------------------
  // A number as text: stored if the cell shows it rounded, as the length of a bar if it is a share.
  function numberOf(cell) {
    const share = cell.style.getPropertyValue("--w");
    return cell.dataset.value ?? (share ? String(parseFloat(share) / 100) : cell.textContent.replaceAll(",", ""));
  }
  const isNumeric = (table, column) => table.classList.contains(`n${column + 1}`);

  function sort(table, column, descending) {
    const numeric = isNumeric(table, column);
    const valueOf = ({ cells }) => (numeric ? Number(numberOf(cells[column])) : cells[column].textContent.trim());
    const order = (a, b) => {
      const [x, y] = [valueOf(a), valueOf(b)];
      const found = numeric ? x - y : x.localeCompare(y, undefined, { numeric: true });
      return descending ? -found : found;
    };
    const [body] = table.tBodies;
    body.append(...[...body.rows].sort(order));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button")?.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const descending = before ? before === "ascending" : isNumeric(table, column);
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, column, descending);
      });
    });
  }

  // page.css shows the start of a long list until somebody asks for all of it.
  for (const list of document.querySelectorAll(".list:has(.sortable, .cards)")) {
    const items = list.querySelector(".cards, tbody"); // the table of a card is inside of .cards
    const number = items.children.length;
    if (number <= 15) continue;
    const text = `Show all ${number.toLocaleString("en")} ${items.matches(".cards") ? "clusters" : "rows"}`;
    const more = Object.assign(document.createElement("button"), { type: "button", className: "more", textContent: text });
    list.classList.add("short");
    list.after(more);
    more.addEventListener("click", () => {
      list.classList.remove("short");
      list.focus();
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

  const csvField = (value) => {
    const text = value.trim().replace(/\s+/g, " ");
    // A spreadsheet would read text that begins like this as a formula.
    const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };

  // A cell may show several values, such as "9 of 41" and examples: each has a column of its own.
  function values(cell, column) {
    if (isNumeric(cell.closest("table"), column)) return { "": numberOf(cell) };
    const copy = cell.cloneNode(true);
    const found = { "": "" };
    for (const label of copy.querySelectorAll("[data-whole]")) label.textContent = whole[label.dataset.whole];
    [...copy.querySelectorAll(".quiet bdi")].forEach((each, place) => {
      found[`example ${place + 1}`] = each.textContent;
    });
    for (const each of copy.querySelectorAll(".quiet")) each.remove();
    for (const small of copy.querySelectorAll("small")) {
      const [, shared, size] = /^([\d,]+) of ([\d,]+)$/.exec(small.textContent) ?? [];
      if (shared) Object.assign(found, { shared: shared.replaceAll(",", ""), size: size.replaceAll(",", "") });
      else found.detail = small.textContent;
      small.remove();
    }
    if (cell.dataset.low !== undefined) Object.assign(found, { low: cell.dataset.low, high: cell.dataset.high });
    else found[""] = copy.textContent;
    return found;
  }

  function csvOf(heads, rows) {
    const cells = rows.map((row) => [...row.cells].map(values));
    const names = heads.map((_, column) => [...new Set(cells.flatMap((row) => Object.keys(row[column] ?? {})))]);
    const head = names.flatMap((keys, column) =>
      keys.map((key) => (key ? `${heads[column]}, ${key}` : heads[column])),
    );
    const body = cells.map((row) => names.flatMap((keys, column) => keys.map((key) => row[column]?.[key] ?? "")));
    return [head, ...body].map((line) => line.map(csvField).join(",")).join("\r\n");
  }

  const saveCsv = (file, text) => save(`${name}-${file}.csv`, new Blob([`\ufeff${text}\r\n`], { type: "text/csv" }));

  for (const button of document.querySelectorAll("button[data-csv]")) {
    button.addEventListener("click", () => {
      const table = document.getElementById(button.dataset.csv);
      const heads = [...table.tHead.rows[0].cells].map((each) => each.textContent.trim());
      saveCsv(table.id, csvOf(heads, [...table.tBodies[0].rows].filter((row) => !row.hidden)));
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

  async function copy(text, button) {
    await navigator.clipboard?.writeText(text);
    button.textContent = "copied";
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy).textContent, button));
  }

  window.concordant = { memory, whole, copy, csvField, save, saveCsv }; // for the scripts that follow

  root.dataset.drawn = "yes";
})();

// The inspector: a cluster that is clicked, or that the address names, is shown beside the charts, and
// every element that shows it lights up. The cards are already in the page; this script only displays them.
"use strict";
(() => {
  const panel = document.getElementById("inspector");
  const place = panel.querySelector("div");
  const { memory, whole, copy: copyText, csvField, saveCsv } = window.concordant;
  const root = document.documentElement;
  const WITH_CLUSTER = "[data-r], [data-c]";
  let opener = null; // what has the focus again when the inspector closes
  let pinned = null;
  let current = null; // the card that is shown

  // -- links name their cluster by their address, and cards by their own --------------------------------------
  const text = (element) =>
    element.dataset.whole === undefined ? element.textContent : whole[element.dataset.whole];
  const cards = [...document.querySelectorAll("details.cluster")];
  const naming = (element, address) => {
    const [, key, number] = /^#?([rc])(\d+)$/.exec(address) ?? [];
    if (key) element.dataset[key] = number;
  };
  for (const link of document.querySelectorAll("a[href^='#']")) {
    const item = link.parentElement; // of a piece, the whole item is lit
    naming(item.matches(".pieces > li") ? item : link, link.getAttribute("href"));
  }
  for (const card of cards) {
    naming(card, card.lastElementChild.id);
    card.dataset.name ??= text(card.querySelector("summary bdi"));
    card.addEventListener("toggle", () => addBar(card), { once: true });
  }

  // The pieces of a card as a bar, drawn when the card is opened.
  function addBar(card) {
    if (card.querySelector(".stack")) return;
    const bar = Object.assign(document.createElement("div"), { className: "stack", ariaHidden: "true" });
    for (const piece of card.querySelectorAll(".pieces > li")) {
      const part = Object.assign(document.createElement("i"), { className: piece.className || "rest" });
      const words = piece.querySelector("small").textContent;
      const [, records] = (piece.className ? /^([\d,]+)/ : /([\d,]+)(?: more)? records?/).exec(words);
      part.style.flex = records.replaceAll(",", "");
      Object.assign(part.dataset, piece.dataset);
      bar.append(part);
    }
    card.querySelector(".pieces").before(bar);
    register(bar);
  }

  // -- light what shows the same cluster ----------------------------------------------------------------
  const shown = new Map(); // "r12" -> elements that show cluster 12 of the reference
  const register = (inside) => {
    for (const element of inside.querySelectorAll(WITH_CLUSTER)) {
      for (const key of ["r", "c"]) {
        if (element.dataset[key] === undefined) continue;
        const name = key + element.dataset[key];
        if (!shown.has(name)) shown.set(name, []);
        shown.get(name).push(element);
      }
    }
  };
  register(document);

  let lit = [];
  function light(cluster) {
    for (const element of lit) element.classList.remove("lit");
    root.classList.toggle("linking", cluster !== null);
    lit = cluster === null ? [] : alike(cluster);
    for (const element of lit) element.classList.add("lit");
  }

  function alike({ r, c }) {
    const [rows, columns] = [shown.get(`r${r}`) ?? [], shown.get(`c${c}`) ?? []];
    if (r === undefined || c === undefined) return r === undefined ? columns : rows;
    // An overlap: itself wherever it is shown, and its two clusters, but none of their other overlaps.
    return [...rows, ...columns].filter(
      ({ dataset }) => [r, undefined].includes(dataset.r) && [c, undefined].includes(dataset.c),
    );
  }

  const clusterAt = (target) => {
    const element = target.closest?.(WITH_CLUSTER);
    return element ? { r: element.dataset.r, c: element.dataset.c } : null;
  };
  document.addEventListener("pointerover", (event) => light(clusterAt(event.target) ?? pinned));
  document.addEventListener("focusin", (event) => light(clusterAt(event.target) ?? pinned));
  document.addEventListener("focusout", () => light(pinned));
  document.documentElement.addEventListener("pointerleave", () => light(pinned));

  // -- open and close ---------------------------------------------------------------------------------
  const sideOf = (card) => (card.dataset.r === undefined ? "candidate" : "reference");
  const addressOf = (card) => {
    const first = cardNamed(card.dataset.name, sideOf(card));
    const key = sideOf(card) === "reference" ? "cluster" : "candidate";
    return first === card ? `#${key}=${encodeURIComponent(card.dataset.name)}` : `#${card.lastElementChild.id}`;
  };
  const cardNamed = (name, side) => cards.find((card) => card.dataset.name === name && sideOf(card) === side);

  function cardOfAddress() {
    const text = location.hash.slice(1);
    const [, key, name] = /^(cluster|reference|candidate)=(.*)$/s.exec(text) ?? [];
    if (!key) return cards.find((card) => card.lastElementChild.id === text) ?? null;
    const called = decoded(name);
    const first = key === "candidate" ? "candidate" : "reference";
    const found = cardNamed(called, first);
    return found ?? (key === "cluster" ? cardNamed(called, "candidate") : null) ?? null;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // typed by hand
    }
  }

  function show(card, other) {
    addBar(card);
    const copy = card.cloneNode(true);
    copy.lastElementChild.removeAttribute("id"); // the page has one already
    const title = document.createElement("h2");
    title.append(...copy.querySelector("summary").childNodes);
    place.replaceChildren(title, ...copy.lastElementChild.childNodes);
    current = card;
    place.scrollTop = 0;
    refresh();
    panel.hidden = false;
    root.classList.add("inspecting");
    pinned = other ?? { r: card.dataset.r, c: card.dataset.c };
    light(pinned);
    place.querySelector(other ? `[data-r="${other.r}"], [data-c="${other.c}"]` : "h2")?.scrollIntoView({
      block: "nearest",
    });
    panel.focus({ preventScroll: true });
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    root.classList.remove("inspecting");
    pinned = current = null;
    light(null);
    history.replaceState(null, "", location.pathname + location.search);
    opener?.focus({ preventScroll: true });
  }

  const cardOf = ({ r, c }) => {
    const id = r === undefined ? `c${c}` : `r${r}`;
    return document.getElementById(id)?.closest("details") ?? null;
  };

  document.addEventListener("click", (event) => {
    const cluster = clusterAt(event.target);
    const card = cluster && !event.target.closest("summary") ? cardOf(cluster) : null;
    // In a card that is open in the page, a click is for reading and selecting.
    if (!card || (event.target.closest("details.cluster") && !event.target.closest("a"))) return;
    event.preventDefault();
    const link = event.target.closest("a");
    if (!panel.contains(event.target)) opener = link ?? document.activeElement;
    history.pushState(null, "", addressOf(card));
    show(card, cluster.r !== undefined && cluster.c !== undefined ? cluster : null);
  });
  panel.querySelector(".close").addEventListener("click", close);

  // -- from card to card, and which of them were reviewed --------------------------------------------------
  const button = (key) => panel.querySelector(`[data-does=${key}]`);
  const counter = panel.querySelector("output");
  const kept = `concordant-reviewed ${document.getElementById("signature")?.textContent ?? document.title}`;
  const nameOf = (card) => `${sideOf(card)} ${card.dataset.name}`;
  const reviewed = new Set(JSON.parse(memory?.getItem(kept) ?? "[]"));
  const mark = (card) => card.classList.toggle("reviewed", reviewed.has(nameOf(card)));
  cards.forEach(mark);

  function refresh() {
    const done = reviewed.has(nameOf(current));
    button("review").setAttribute("aria-pressed", String(done));
    button("copy").textContent = "copy ids";
    const at = cards.indexOf(current);
    button("previous").disabled = at === 0;
    button("next").disabled = at === cards.length - 1;
    counter.textContent = `${at + 1} of ${cards.length}, ${cards.filter((each) => reviewed.has(nameOf(each))).length} reviewed`;
  }

  function step(by) {
    const card = cards[cards.indexOf(current) + by];
    if (!card) return;
    history.replaceState(null, "", addressOf(card));
    show(card, null);
  }

  function review() {
    const name = nameOf(current);
    if (!reviewed.delete(name)) reviewed.add(name);
    memory?.setItem(kept, JSON.stringify([...reviewed]));
    mark(current);
    refresh();
  }

  // -- the records of a card, to take along -----------------------------------------------------------------
  const recordsIn = (inside) =>
    [...inside.querySelectorAll(":scope > .quiet > bdi, td:first-child bdi, .thumbs > .thumb")].map((each) =>
      each.matches(".thumb") ? each.dataset.id : text(each),
    );

  function download() {
    const rows = [["side", "cluster", "overlaps with", "overlap", "record"]];
    for (const piece of current.querySelectorAll(".pieces > li:has(a)")) {
      const [other, what] = [text(piece.querySelector("a bdi")), piece.querySelector("small").textContent];
      const own = [sideOf(current), current.dataset.name, other, what.split("; ").at(-1)];
      const records = recordsIn(piece);
      for (const record of records.length ? records : [""]) rows.push([...own, record]);
    }
    saveCsv(`${sideOf(current)}-${current.dataset.name}`, rows.map((row) => row.map(csvField).join(",")).join("\r\n"));
  }

  const actions = {
    previous: () => step(-1),
    next: () => step(1),
    review,
    copy: () => {
      const pieces = [...current.querySelectorAll(".pieces > li")];
      copyText(pieces.flatMap(recordsIn).join("\n"), button("copy"));
    },
    download,
  };
  for (const [key, act] of Object.entries(actions)) button(key).addEventListener("click", act);

  const KEYS = { p: "previous", ArrowLeft: "previous", n: "next", ArrowRight: "next", r: "review" };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    const action = KEYS[event.key];
    // Letters are for fields, and arrows for charts, wherever these have the focus.
    if (!current || !action || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, .drawing, .sortable, .costliest, .cards")) return;
    event.preventDefault();
    actions[action]();
  });

  const follow = () => {
    const card = cardOfAddress();
    if (card) show(card, null);
  };
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
  follow();
})();

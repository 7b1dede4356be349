// The inspector: a cluster that is clicked, or that the address names, is shown beside the charts, and
// whatever shows it lights up. Cards are in the page already; this only brings them to the reader.
"use strict";
(() => {
  const panel = document.getElementById("inspector");
  const place = panel.querySelector("div");
  const root = document.documentElement;
  const WITH_CLUSTER = "[data-r], [data-c]";
  let opener = null; // what has the focus again when the inspector closes
  let pinned = null;

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
  const cards = [...document.querySelectorAll("details.cluster")];
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
    const copy = card.cloneNode(true);
    copy.lastElementChild.removeAttribute("id"); // the page has one already
    const title = document.createElement("h2");
    title.append(...copy.querySelector("summary").childNodes);
    place.replaceChildren(title, ...copy.lastElementChild.childNodes);
    panel.hidden = false;
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
    pinned = null;
    light(null);
    history.replaceState(null, "", location.pathname + location.search);
    opener?.focus({ preventScroll: true });
  }

  const cardOf = ({ r, c }) => {
    const id = r === undefined ? `candidate-${c}` : `reference-${r}`;
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
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());

  const follow = () => {
    const card = cardOfAddress();
    if (card) show(card, null);
  };
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
  follow();
})();

// Questions about pairs, one at a time: keys answer them, the browser keeps the answers, a button saves them.
"use strict";
(() => {
  const { memory, save } = window.concordant;
  const list = document.getElementById("questions");
  const pairs = [...list.querySelectorAll("article")];
  const judge = document.getElementById("judge");
  const progress = document.getElementById("progress");
  const buttons = [...document.querySelectorAll("button[data-answer]")];
  const kept = `concordant-answers ${list.dataset.key}`;
  const { answers, by, at } = { answers: {}, by: "", at: 0, ...JSON.parse(memory?.getItem(kept) ?? "{}") };
  let current = Math.min(at, pairs.length - 1);
  judge.value = by;

  const keep = () => memory?.setItem(kept, JSON.stringify({ answers, by: judge.value, at: current }));
  const nameOf = (pair) => pair.dataset.question;

  function show(place) {
    current = Math.max(0, Math.min(place, pairs.length - 1));
    pairs.forEach((pair, number) => {
      pair.hidden = number !== current;
    });
    const answer = answers[nameOf(pairs[current])];
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.answer === answer));
    const done = Object.keys(answers).length;
    progress.textContent = `Question ${current + 1} of ${pairs.length}, ${done} answered`;
    document.getElementById("done").value = done;
    keep();
  }

  // The next one without an answer, from here on and then from the beginning.
  function next() {
    const open = (pair) => !(nameOf(pair) in answers);
    const later = pairs.findIndex((pair, place) => place > current && open(pair));
    const place = later >= 0 ? later : pairs.findIndex(open);
    show(place >= 0 ? place : current);
  }

  function answer(word) {
    answers[nameOf(pairs[current])] = word;
    next();
  }

  const field = (text) => `"${text.replaceAll('"', '""')}"`;

  function saveAnswers() {
    const rows = pairs
      .filter((pair) => nameOf(pair) in answers)
      .map((pair) => [nameOf(pair), pair.dataset.a, pair.dataset.b, answers[nameOf(pair)], judge.value.trim()]);
    const lines = [["question", "record_a", "record_b", "same", "judge"], ...rows].map((row) => row.map(field).join(","));
    save("answers.csv", new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
  }

  const steps = { back: () => show(current - 1), forward: () => show(current + 1), save: saveAnswers };
  for (const button of buttons) button.addEventListener("click", () => answer(button.dataset.answer));
  for (const button of document.querySelectorAll("button[data-step]")) {
    button.addEventListener("click", steps[button.dataset.step]);
  }
  judge.addEventListener("input", keep);

  const keys = { ArrowLeft: steps.back, ArrowRight: steps.forward };
  for (const button of buttons) keys[button.getAttribute("aria-keyshortcuts")] = () => answer(button.dataset.answer);
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target === judge) return;
    event.preventDefault();
    act();
  });

  document.documentElement.classList.add("one-by-one");
  show(current);
})();

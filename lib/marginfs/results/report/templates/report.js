"use strict";
(() => {
  const form = document.querySelector(".filters");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Sorting: numbers by size, everything else by the alphabet; the third click brings back the paper's order.
  const value = (cell) => {
    const shown = cell.querySelector(".ours") || cell;
    const text = shown.textContent.trim();
    const number = parseFloat(text.replace("−", "-"));
    return { text, number, empty: text === "" };
  };
  const compare = (a, b) => {
    if (a.empty || b.empty) return a.empty - b.empty;
    if (!isNaN(a.number) && !isNaN(b.number)) return a.number - b.number;
    return a.text.localeCompare(b.text);
  };
  const sort = (table, heading, place) => {
    const body = table.tBodies[0];
    const now = heading.getAttribute("aria-sort");
    const next = now === "ascending" ? "descending" : now === "descending" ? "none" : "ascending";
    all("th", table.tHead).forEach((other) => other.removeAttribute("aria-sort"));
    if (next !== "none") heading.setAttribute("aria-sort", next);
    const rows = [...body.rows].sort((a, b) => a.dataset.place - b.dataset.place);
    if (next !== "none") {
      const turn = next === "ascending" ? 1 : -1;
      rows.sort((a, b) => {
        const [x, y] = [value(a.cells[place]), value(b.cells[place])];
        return x.empty || y.empty ? compare(x, y) : turn * compare(x, y);
      });
    }
    body.append(...rows);
  };
  all("table:not(.overview)").forEach((table) => {
    [...table.tBodies[0].rows].forEach((row, place) => { row.dataset.place = place; });
    [...table.tHead.rows[0].cells].forEach((heading, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, heading, place));
      heading.append(button);
    });
  });

  if (!form) return;

  // Filters: numbers of other verdicts fade, tables, claims and papers without any are hidden.
  const checked = (name) => {
    const boxes = all(`input[name=${name}]`, form);
    const on = boxes.filter((box) => box.checked).map((box) => box.value);
    return { on: new Set(on), all: on.length === boxes.length };
  };
  const filter = () => {
    const [verdict, claim, paper] = ["verdict", "claim", "paper"].map(checked);
    let numbers = 0;
    all("section.paper").forEach((section) => {
      section.classList.toggle("off", !paper.all && !paper.on.has(section.dataset.paper));
    });
    all(".entry").forEach((entry) => {
      const on = verdict.on.has(entry.dataset.verdict);
      entry.classList.toggle("dim", !on);
      numbers += on && !entry.closest(".off") ? 1 : 0;
    });
    all("tr[data-verdict]").forEach((row) => row.classList.toggle("off", !verdict.on.has(row.dataset.verdict)));
    all("tr[data-claim]").forEach((row) => row.classList.toggle("off", !claim.on.has(row.dataset.claim)));
    all("details.table").forEach((table) => {
      const entries = all(".entry", table);
      const some = entries.some((entry) => !entry.classList.contains("dim"));
      table.classList.toggle("off", entries.length > 0 && !some);
      if (!verdict.all && some) table.open = true;
    });
    form.querySelector("output").textContent = verdict.all && paper.all ? "" : `${numbers} numbers shown`;
  };
  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  all("button[data-do]", form).forEach((button) => {
    button.addEventListener("click", () => {
      all("details.table").forEach((table) => { table.open = button.dataset.do === "open"; });
    });
  });

  // A link to a table opens it; paper shows every table.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => all("details.table").forEach((table) => { table.open = true; }));
})();

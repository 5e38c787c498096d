// The page reads well without this: it adds the filter.
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const form = one("#filter");
  const search = one("#search");
  const boxes = all("input[type=checkbox]", form);
  const choices = ["kubernetes", "cluster"].map((name) => [name, one(`#${name}`)]);
  const rows = all(".submitted tbody tr");
  const entries = all(".submitted .entry");

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const standings = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const minor = one("#kubernetes").value;
    for (const row of rows) {
      const driver = row.querySelector("th").textContent;
      for (const entry of all(".entry", row)) {
        const text = `${driver} ${entry.textContent}`.toLowerCase();
        const wanted = !standings.size || standings.has(entry.dataset.standing);
        const chosen = choices.every(([name, list]) => !list.value || list.value === entry.dataset[name]);
        entry.hidden = !(wanted && chosen && words.every((word) => text.includes(word)));
      }
      row.hidden = !all(".entry:not([hidden])", row).length;
    }
    for (const cell of all(".submitted [data-kubernetes]:is(th, td)")) {
      cell.hidden = Boolean(minor) && cell.dataset.kubernetes !== minor;
    }
    const shown = all(".submitted .entry:not([hidden])").length;
    one("#nothing").hidden = shown > 0;
    one("#shown").textContent = shown === entries.length ? `All ${shown} shown` : `${shown} of ${entries.length} shown`;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
})();

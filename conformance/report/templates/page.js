// The page reads well without this: it adds the filter, the copy buttons and the opening of linked checks.
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const checks = all("details.check");

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches("details.check")) return;
    if (target.hidden) form.reset();
    target.open = true;
    target.scrollIntoView();
  }

  for (const button of all("button.copy")) {
    const command = button.parentElement.querySelector("pre");
    button.hidden = false;
    button.setAttribute("aria-label", "Copy the command");
    button.addEventListener("click", async () => {
      getSelection().selectAllChildren(command);
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  const form = one("#filter");
  if (!form) return;
  const search = one("#search");
  const boxes = all("input[type=checkbox]", form);
  const choices = ["area", "profile"].map((name) => [name, one(`#${name}`)]);
  const unfold = one("#unfold");
  const texts = new Map(checks.map((check) => [check, check.textContent.toLowerCase()]));

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const check of checks) {
      const wanted = !verdicts.size || verdicts.has(check.dataset.verdict);
      const chosen = choices.every(([name, list]) => !list.value || list.value === check.dataset[name]);
      check.hidden = !(wanted && chosen && words.every((word) => texts.get(check).includes(word)));
      shown += check.hidden ? 0 : 1;
    }
    for (const area of all("section.area")) area.hidden = !all("details.check:not([hidden])", area).length;
    one("#nothing").hidden = shown > 0;
    one("#shown").textContent = shown === checks.length ? `All ${shown} checks` : `${shown} of ${checks.length} checks`;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  unfold.addEventListener("click", () => {
    const open = unfold.textContent === "Unfold all";
    for (const check of checks) if (!check.hidden) check.open = open;
    unfold.textContent = open ? "Fold all" : "Unfold all";
  });
  for (const link of all(".counts a")) {
    link.addEventListener("click", () => {
      search.value = "";
      for (const [, list] of choices) list.value = "";
      for (const box of boxes) box.checked = box.value === link.dataset.verdict;
      filter();
    });
  }
  addEventListener("hashchange", openTarget);
  filter();
  openTarget();
})();

// Tables that are wider than the screen scroll, and what scrolls can be reached by keyboard.
addEventListener("load", () => {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  }
});

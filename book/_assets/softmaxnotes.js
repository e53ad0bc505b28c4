// A formula wider than its box scrolls; then, and only then, the keyboard can reach it.
(() => {
  const mark = (box) => {
    if (box.scrollWidth <= box.clientWidth) {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      return;
    }
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Formula, scrolls sideways");
  };
  document.addEventListener("DOMContentLoaded", () => {
    const boxes = document.querySelectorAll(".formula");
    const fit = new ResizeObserver((changes) => changes.forEach(({ target }) => mark(target)));
    boxes.forEach((box) => fit.observe(box));
    // The fonts of the formulas change their width, and not that of their boxes.
    document.fonts.ready.then(() => boxes.forEach(mark));
    document.fonts.addEventListener("loadingdone", () => boxes.forEach(mark));
  });
})();

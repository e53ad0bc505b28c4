// A formula wider than its box scrolls; then, and only then, the keyboard can reach it.
(() => {
  const fit = new ResizeObserver((boxes) => {
    for (const { target } of boxes) {
      const wide = target.scrollWidth > target.clientWidth + 1;
      if (!wide) {
        for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
        continue;
      }
      target.setAttribute("tabindex", "0");
      target.setAttribute("role", "group");
      target.setAttribute("aria-label", "Formula, scrolls sideways");
    }
  });
  document.addEventListener("DOMContentLoaded", () =>
    document.querySelectorAll(".formula").forEach((box) => fit.observe(box)));
})();

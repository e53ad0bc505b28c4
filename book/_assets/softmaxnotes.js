// A formula is laid out as widely as its box allows: reasons beside their lines, else below
// them, else all in one column, where formulas break. One that is still too wide scrolls;
// then, and only then, the keyboard can reach it.
(() => {
  const fit = (boxes) => {
    let wide = boxes.filter((box) => box.clientWidth > 0); // the others are folded away
    for (const layout of ["beside", "below", "column"]) {
      wide.forEach((box) => { box.dataset.layout = layout; });
      wide = wide.filter((box) => box.scrollWidth > box.clientWidth);
    }
    for (const box of boxes) {
      const scrolls = wide.includes(box);
      for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Formula, scrolls sideways"]]) {
        if (scrolls) box.setAttribute(name, value);
        else box.removeAttribute(name);
      }
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    const boxes = [...document.querySelectorAll(".formula")];
    const widths = new WeakMap();
    const changed = (box) => widths.get(box) !== widths.set(box, box.clientWidth).get(box);
    // In the next frame, for the observer must not change what it observes.
    const resized = (changes) => requestAnimationFrame(() => fit(changes.map(({ target }) => target).filter(changed)));
    const observer = new ResizeObserver(resized);
    boxes.forEach((box) => observer.observe(box));
    // The fonts of the formulas change their width, and not that of their boxes.
    document.fonts.ready.then(() => fit(boxes));
    document.fonts.addEventListener("loadingdone", () => fit(boxes));
  });
})();

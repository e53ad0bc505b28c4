// Everything below adds to a page that is complete without it.
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const kept = (key) => { try { return localStorage[key]; } catch { return undefined; } };
  const keep = (key, value) => { try { localStorage[key] = value; } catch { /* private window */ } };
  const create = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };

  // Code: folded or open, for the whole book. What is being read stays where it is, and solutions stay closed.
  const code = document.getElementById("code");
  const folds = all("details.code");
  if (code) code.hidden = !folds.length;
  if (folds.length) {
    const show = (open) => {
      folds.forEach((fold) => { fold.open = open; });
      code.querySelector("b").textContent = open ? "open" : "folded";
      code.setAttribute("aria-pressed", open);
    };
    code.addEventListener("click", () => {
      const line = all("main :is(p, h2, h3, .eq)")
        .find((node) => node.checkVisibility() && node.getBoundingClientRect().top > 50);
      const top = line?.getBoundingClientRect().top;
      const open = code.getAttribute("aria-pressed") !== "true";
      keep("code", open ? "open" : "folded");
      show(open);
      if (line) scrollBy(0, line.getBoundingClientRect().top - top);
    });
    if (kept("code") === "open") show(true);
  }

  // Code can be taken along; of a session with Python what was typed, without prompts and answers.
  const typed = (text) => !/^>>> /m.test(text) ? text : text.split("\n")
    .filter((line) => /^(>>>|\.\.\.)( |$)/.test(line)).map((line) => line.slice(4)).join("\n");
  all("div.code").forEach((box) => {
    const text = box.querySelector("pre");
    const button = create("button", { type: "button", className: "copy", ariaLabel: "Copy this code" }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(typed(text.textContent));
        button.textContent = "Copied";
      } catch { // a browser that does not let a page write there
        getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(button);
  });

  // The text of a report begins with what is known of the page that led to it.
  const known = new URLSearchParams(location.search);
  const form = known.has("page") && document.querySelector("#report-an-error div.code pre");
  if (form) {
    form.textContent = form.textContent.replace(/^(\w+)( or \w+)?: .*$/gm, (line, name, other) => {
      const told = known.get(name.toLowerCase());
      return told ? `${name}${other ?? ""}: ${told}` : line;
    });
  }

  // Light, dark, or as the system says.
  const theme = document.getElementById("theme");
  const tell = () => { theme.querySelector("b").textContent = root.dataset.theme || "auto"; };
  theme.addEventListener("click", () => {
    const next = { "": "light", light: "dark", dark: "" }[root.dataset.theme || ""];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    keep("theme", next);
    tell();
  });
  tell();

  // Where one is, in the contents.
  const links = new Map(all(".sections a[href^='#']").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const heads = all("section[id] > h2");
  const contents = document.getElementById("book-contents");
  const bring = (link) => { // into view, where the contents scroll
    const [box, line] = [contents, link ?? contents].map((node) => node.getBoundingClientRect());
    if (line.top < box.top || line.bottom > box.bottom) contents.scrollTop += line.top - box.top - box.height / 3;
  };
  const mark = () => {
    const at = heads.filter((head) => head.getBoundingClientRect().top < 140).pop();
    links.forEach((link, id) => link.classList.toggle("now", id === at?.parentNode.id));
    bring(links.get(at?.parentNode.id));
  };
  bring(contents.querySelector("[aria-current]"));
  if (links.size) {
    let waiting = false;
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(() => { waiting = false; mark(); });
      waiting = true;
    }, { passive: true });
    mark();
  }

  // A reference shows what it points to, by mouse and by keyboard; what is on another page is fetched.
  const pages = new Map();
  const page = (address) => {
    if (!pages.has(address)) {
      pages.set(address, fetch(address).then((answer) => answer.text())
        .then((text) => new DOMParser().parseFromString(text, "text/html")).catch(() => null));
    }
    return pages.get(address);
  };
  const shown = (goal) => {
    if (goal?.matches("dt")) return goal.nextElementSibling;
    return goal?.closest(".eqbox")?.querySelector(".eq") ?? (goal?.matches(".statement, figure, .citation") ? goal : null);
  };
  let preview, wanted;
  const hide = () => { preview?.remove(); preview = wanted = null; };
  const reveal = async ({ target }) => {
    const link = target.closest?.("main a[href*='#']");
    if (!link || link === wanted || link.matches(".anchor, .num[href^='#']:not(.statement *)")) return;
    hide();
    wanted = link;
    const here = link.pathname === location.pathname;
    const there = here ? document : location.protocol !== "file:" && await page(link.href.split("#")[0]);
    const goal = there && shown(there.getElementById(decodeURIComponent(link.hash.slice(1))));
    if (!goal || goal.contains(link) || wanted !== link) return;
    preview = create("div", { className: "preview" }, document.importNode(goal, true));
    const styles = there.getElementById("formulas"); // of the formulas of that page
    if (!here && styles) preview.append(document.importNode(styles, true));
    all("[id]", preview).forEach((node) => node.removeAttribute("id"));
    document.body.append(preview);
    const { left, bottom, top } = link.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = preview;
    const below = bottom + height + 12 < innerHeight || top < height;
    preview.style.left = `${Math.max(8, Math.min(left, root.clientWidth - width - 8))}px`;
    preview.style.top = `${scrollY + (below ? bottom + 6 : top - height - 6)}px`;
  };
  for (const type of ["pointerover", "focusin"]) document.addEventListener(type, reveal);
  // A page that scrolls under a resting mouse, as it does to what gets the focus, leaves other things than the link.
  const leave = ({ target }) => { if (wanted?.contains(target)) hide(); };
  for (const type of ["pointerout", "focusout"]) document.addEventListener(type, leave);
  document.addEventListener("keydown", hide);

  // What scrolls can be reached by the keyboard.
  const reach = () => all(".formula, pre, .scroll, .panels").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  document.fonts.ready.then(reach);
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);

  // A link into a fold opens it.
  const open = () => {
    const goal = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let node = goal; node; node = node.parentElement) if (node.localName === "details") node.open = true;
  };
  addEventListener("hashchange", open);
  open();
})();

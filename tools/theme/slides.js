// A chapter as a deck: the same page with ?slides behind its address, of which that is shown which the author
// listed, or else statements, figures, open code, exercises, and of each other section its first formula.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const create = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const article = document.querySelector("article");
  const title = article.querySelector("h1");
  const SHOWN = ".statement, figure, .listing, div.code, .exercise, .eqbox, .scroll";
  const flow = all("section > *", article).filter((node) => // what a section is made of, without what was checked
    !node.matches("section, h1, .tally, .told") && !node.parentNode.querySelector(":scope > .report"));

  // --- What is shown ---------------------------------------------------------------------

  const placed = (label) => {
    const node = document.getElementById(label) ?? document.getElementById(`equation-${label}`);
    if (!node?.matches("section")) return node;
    return node.querySelector(":scope > :is(.listing, div.code, .scroll)") ?? node.querySelector(":scope > p");
  };
  const usual = () => {
    const main = flow.filter((node) => node.matches(".statement, figure, .listing, div.code, .exercise"));
    const bare = all("section", article).filter((section) => !main.some((node) => section.contains(node)));
    const first = bare.map((section) => section.querySelector(":scope > .eqbox")).filter(Boolean);
    return flow.filter((node) => main.includes(node) || first.includes(node));
  };
  const listed = document.querySelector("meta[name=slides]").content.split(" ").filter(Boolean);
  const chosen = listed.length ? listed.map(placed).filter(Boolean) : usual();

  // A sentence is a line of the source.
  const sentences = (paragraph) => {
    const found = [create("p")];
    for (const node of paragraph.childNodes) {
      const [first, ...others] = node.nodeType === Node.TEXT_NODE ? node.data.split("\n") : [node.cloneNode(true)];
      found.at(-1).append(first);
      others.forEach((text) => found.push(create("p", {}, text)));
    }
    return found.filter((line) => line.textContent.trim());
  };
  const heading = (node) => {
    const words = node.closest("section").querySelector("h1, h2, h3").cloneNode(true);
    all(".anchor", words).forEach((link) => link.remove());
    return words.childNodes;
  };
  const slide = (kind, head, ...shown) => create("div", { className: `slide ${kind}` },
    create("h2", {}, ...head), create("div", { className: "on" }, ...shown), create("aside", { className: "notes" }));

  // --- The slides: what was said since the one before is for the speaker --------------------

  const goals = title.parentNode.querySelector(":scope > ul");
  const opening = goals ? [goals.previousElementSibling, goals] : [];
  const first = slide("title", heading(title), ...opening.map((node) => node.cloneNode(true)));

  // The first question that the chapter asks, with the sentence before it.
  const asks = (line) => /\?\s*$/.test(line.textContent);
  const asked = flow.filter((node) => node.matches("p") && !opening.includes(node)).slice(0, 12)
    .find((node) => sentences(node).some(asks));
  const posed = () => {
    const lines = sentences(asked), place = lines.findIndex(asks);
    if (place) lines[place - 1].className = "lead";
    return lines.slice(Math.max(0, place - 1), place + 1);
  };
  const question = asked && slide("words", heading(asked), ...posed());

  const made = new Map();
  let told = [];
  for (const node of flow) {
    if (node.matches("h2")) told = [];
    if (node === asked) {
      question.querySelector(".notes").append(...told, node.cloneNode(true));
      told = [];
    }
    if (!chosen.includes(node)) {
      if (node !== asked && !node.matches(`${SHOWN}, h2, h3, details`)) told.push(node.cloneNode(true));
      continue;
    }
    const said = node.matches(".eqbox, .listing, div.code, .scroll") && told.findLast((other) => other.matches("p"));
    const last = said ? sentences(said).findLast((line) => !/^\s*\(/.test(line.textContent)) : null;
    const lead = last && !/^\s*[a-z]/.test(last.textContent) ? last : ""; // one that goes on lost its first half
    if (lead) lead.className = "lead";
    const [, kind] = [["figure", "figure"], [".exercise", "task"], ["p", "words"], ["*", ""]]
      .find(([selector]) => node.matches(selector));
    const one = slide(kind, heading(node), lead, kind === "words" ? sentences(node)[0] : node.cloneNode());
    made.set(node, one);
    one.querySelector(".notes").append(...told, ...node.matches("p") ? [node.cloneNode(true)] : []);
    told = [];
  }
  const solved = new Map(); // on slides of their own
  for (const [node, one] of made) { // only now, for a heading is looked up where the node stands
    if (node.matches("p")) continue;
    const solution = node.matches(".exercise") ? node.nextElementSibling : null;
    one.querySelector(".on").lastElementChild.replaceWith(node);
    if (!solution?.matches("details.solution")) continue;
    solution.querySelector("summary").remove();
    all(".program > details", solution).forEach((code) => { code.open = true; });
    const long = solution.querySelector(".eqbox, .program") || solution.innerText.length > 900;
    const box = create("div", { className: "solved" }, ...solution.childNodes);
    if (long) solved.set(node, slide("task", [`${node.querySelector(".head").textContent}: solution`], box));
    else one.querySelector(".on").append(box);
  }
  const slides = [first, question, ...chosen.flatMap((node) => [made.get(node), solved.get(node)])].filter(Boolean);

  // --- Steps: the lines of a derivation with their reasons, and the solution -------------------

  for (const one of slides) {
    let steps = 0;
    const later = (nodes) => {
      steps += 1;
      nodes.forEach((node) => { node.classList.add("step"); node.dataset.step = steps; });
    };
    const rows = new Map();
    for (const cell of all(".chain :is(.left, .right, .reason), .system :is(.left, .right, .reason)", one)) {
      const row = cell.style.getPropertyValue("--r");
      rows.set(row, [...rows.get(row) ?? [], cell]);
    }
    if (one.querySelector(".on > .eqbox")) [...rows.values()].slice(1).forEach(later);
    all(".exercise + .solved", one).forEach((node) => later([node]));
    one.dataset.steps = steps;
  }

  // What is not on a slide is in the chapter.
  for (const link of slides.flatMap((one) => all("a[href^='#']", one))) link.href = location.pathname + link.hash;

  // --- The deck ------------------------------------------------------------------------------

  const count = create("span");
  const button = (words, label, act) => {
    const made = create("button", { type: "button", ariaLabel: label }, words);
    made.addEventListener("click", act);
    return made;
  };
  const out = create("a", { href: location.pathname }, "Chapter");
  const bar = create("nav", { ariaLabel: "Slides" },
    button("←", "Back", () => go(-1)), count, button("→", "On", () => go(1)),
    button("Overview", "Overview", () => view()), button("Notes", "Notes for the speaker", () => speak()),
    button("Keys", "Keys", () => help.showModal()), out);
  const deck = create("main", { className: "deck" }, ...slides);
  document.body.replaceChildren(deck, bar);
  document.title = `Slides: ${document.title}`;
  slides.forEach((one, number) => {
    one.append(create("small", {}, number + 1));
    one.addEventListener("click", () => { if (deck.matches(".overview")) { view(); show(number, 0); } });
  });

  const SIZES = [1.3, 1.2, 1.1, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55];
  let at = 0, step = 0, notes;
  const fit = () => {
    deck.style.setProperty("--fit", Math.min(innerWidth / 1280, (innerHeight - bar.offsetHeight) / 720));
  };
  // As large as there is room for; where that is small, the reasons stand below their lines.
  const size = (one) => {
    const box = one.querySelector(".on");
    const fits = (zoom) => {
      box.style.zoom = zoom;
      return [one, box, ...all(".formula, .scroll, pre", box)].every((node) =>
        node.scrollWidth <= node.clientWidth + 1 && (node !== one || node.scrollHeight <= node.clientHeight));
    };
    const most = one.matches(".figure, .title") ? 1 : SIZES[0];
    const largest = () => SIZES.find((zoom) => zoom <= most && fits(zoom)) ?? SIZES.at(-1);
    let zoom = largest();
    if (zoom < 1 && box.querySelector(".reason")) { box.classList.add("under"); zoom = largest(); }
    box.style.zoom = one.dataset.zoom = zoom;
  };
  const show = (number, steps) => {
    at = Math.max(0, Math.min(number, slides.length - 1));
    step = Math.min(steps, Number(slides[at].dataset.steps));
    slides.forEach((one) => one.classList.toggle("now", one === slides[at]));
    size(slides[at]); // knobs may have come late
    all(".step", slides[at]).forEach((node) => node.classList.toggle("shown", Number(node.dataset.step) <= step));
    count.textContent = `${at + 1} of ${slides.length}`;
    history.replaceState(null, "", `?slides=${at + 1}`);
    if (notes && !notes.closed) tell();
  };
  const go = (way) => {
    const steps = Number(slides[at].dataset.steps);
    if (way > 0 ? step < steps : step > 0) show(at, step + way);
    else if (slides[at + way]) show(at + way, way > 0 ? 0 : Infinity);
  };
  const view = () => { deck.classList.toggle("overview"); slides[at].scrollIntoView({ block: "center" }); };
  const tell = () => {
    const said = slides[at].querySelector(".notes");
    notes.document.body.replaceChildren(notes.document.importNode(create("h1", {}, count.textContent), true),
      ...[...said.childNodes].map((node) => notes.document.importNode(node, true)));
  };
  const speak = () => {
    notes = open("", "notes", "width=700,height=500");
    notes.document.head.innerHTML = document.head.innerHTML.replace(/<script.*?<\/script>/gs, "");
    notes.document.documentElement.className = "js set";
    notes.document.body.className = "spoken";
    tell();
  };
  // Each slide with what is said to it below, on upright sheets.
  const hand = () => {
    document.documentElement.classList.add("handout");
    addEventListener("afterprint", () => document.documentElement.classList.remove("handout"), { once: true });
    print();
  };
  const WAYS = [ // keys, their names, what they do
    [["ArrowRight", " ", "PageDown"], "→, space, page down", "on, line by line; or draw a finger to the left", () => go(1)],
    [["ArrowLeft", "PageUp"], "←, page up", "back; or draw a finger to the right", () => go(-1)],
    [["Home"], "Home", "to the first slide", () => show(0, 0)],
    [["End"], "End", "to the last one", () => show(slides.length - 1, 0)],
    [["o"], "o", "an overview of all slides, and out of it", view],
    [["n"], "n", "notes for the speaker, in a window of their own", speak],
    [["p"], "p", "print a handout, each slide with its notes; the browser’s own printing gives the slides alone", hand],
    [["f"], "f", "the whole screen", () => document.documentElement.requestFullscreen()],
    [["?"], "?", "this list", () => help.showModal()],
    [["Escape"], "Esc", "to the chapter", () => { location.href = out.href; }],
  ];
  const help = create("dialog", { ariaLabel: "Keys" }, create("dl", {},
    ...WAYS.flatMap(([, keys, words]) => [create("dt", {}, keys), create("dd", {}, words)])),
    button("Close", "Close", () => help.close()));
  document.body.append(help);
  addEventListener("keydown", (event) => {
    const act = WAYS.find(([keys]) => keys.includes(event.key))?.at(-1);
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    if (help.open || event.key === " " && event.target.matches("button, a")) return;
    event.preventDefault();
    act();
  });
  // A finger drawn across a slide turns it, but for what it moves there itself.
  let from = null;
  deck.addEventListener("touchstart", ({ touches, target }) => {
    const own = target.closest("input, select, button, a") || deck.matches(".overview") || visualViewport.scale > 1.01;
    from = own || touches.length > 1 ? null : [touches[0].clientX, touches[0].clientY];
  }, { passive: true });
  deck.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    const [x, y] = from ? [touch.clientX - from[0], touch.clientY - from[1]] : [0, 0];
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
  }, { passive: true });
  addEventListener("resize", fit);
  fit();
  document.fonts.ready.then(() => {
    document.documentElement.classList.add("all"); // each has to be laid out to be measured
    slides.forEach(size);
    document.documentElement.classList.remove("all");
    show(Number(new URLSearchParams(location.search).get("slides")) - 1, 0);
    deck.dataset.ready = slides.length;
  });
})();

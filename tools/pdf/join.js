// Built pages become one document: ids of its own, links inside, solutions and references at the end.
// What the style sheet hides on paper is not carried along.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const create = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const slug = (name) => name.replace(/^book\//, "").replace(/\W+/g, "-");
  const contents = []; // level, number, title as HTML, place
  const rules = new Set(); // added at the end: each sheet would have all styles found again
  const title = (heading) => { // without its number, which is told apart
    const copy = heading.cloneNode(true);
    const number = copy.querySelector(".section-number");
    number?.remove();
    return [number?.textContent.trim() ?? "", copy.innerHTML.trim()];
  };
  const place = (page, id) => (/^cited-/.test(id) ? id : `${slug(page)}--${id}`.replace(/[^\w-]/g, "-"));

  // Each chapter, and what is collected behind the last, has its title above its pages; one chapter alone has one.
  const head = (box, words) => {
    const whole = document.querySelector("nav") ? box : document.querySelector("article");
    if (whole.style.page) return;
    whole.style.page = box.id;
    rules.add(`@page ${box.id} { @top-left { content: ${JSON.stringify(words)} } }`);
  };

  // A link into the document; into another page of the site, where that has an address; else only its words.
  const relink = (link, page, pages, site) => {
    const href = link.getAttribute("href");
    if (/^[a-z]+:/.test(href)) return;
    const url = new URL(href, `http://site/${page}.html`);
    const [, name] = url.pathname.match(/^\/(.*)\.html$/) ?? [];
    const id = decodeURIComponent(url.hash.slice(1));
    if (pages.includes(name)) link.setAttribute("href", `#${id ? place(name, id) : slug(name)}`);
    else if (site) link.href = site + url.pathname + url.hash;
    else link.replaceWith(...link.childNodes);
  };

  // A solution opens behind the last chapter, and its exercise says on which page.
  const solve = (fold, solutions) => {
    const exercise = fold.previousElementSibling;
    const [name] = all(".head > strong", exercise);
    if (!name) throw new Error(`expected an exercise before its solution, got ${exercise?.outerHTML.slice(0, 80)}`);
    fold.open = true;
    all(".program > details", fold).forEach((code) => { code.open = true; });
    fold.querySelector("summary").replaceChildren(create("a", { href: `#${exercise.id}` }, name.textContent));
    const page = create("a", { href: `#${fold.id}`, className: "at" }, "000");
    exercise.querySelector(".head").append(create("span", { className: "to-solution" }, "solution on page ", page));
    solutions.append(fold);
  };

  const chapter = (page, pages, { text, site }) => {
    const box = create("section", { id: slug(page) }, ...text.childNodes);
    document.querySelector("main article").append(box);
    all("[id]", box).forEach((node) => { node.id = place(page, node.id); });
    for (const node of all("*", box)) {
      for (const { name, value } of [...node.attributes]) {
        if (/^aria-(labelledby|describedby)$/.test(name)) {
          node.setAttribute(name, value.split(/\s+/).map((id) => place(page, id)).join(" "));
        } else if (/url\(#/.test(value)) {
          node.setAttribute(name, value.replace(/url\(#([^)]+)\)/g, (_, id) => `url(#${place(page, id)})`));
        } else if (/^(xlink:)?href$/.test(name) && value.startsWith("#") && node instanceof SVGElement) {
          node.setAttribute(name, `#${place(page, value.slice(1))}`);
        }
      }
    }
    all("a[href]", box).filter((link) => link instanceof HTMLElement)
      .forEach((link) => relink(link, page, pages, site));

    const solutions = create("section", {});
    all("details.solution", box).forEach((fold) => solve(fold, solutions));
    box.append(solutions); // so that what is hidden in them goes, too
    all(".katex .vlist-s", box).forEach((node) => { node.textContent = ""; }); // a space that would be copied
    all("*", box).filter((node) => getComputedStyle(node).display === "none").forEach((node) => node.remove());
    // what told a formula to screen readers is gone
    all(".katex-html", box).forEach((node) => node.removeAttribute("aria-hidden"));
    solutions.remove();
    box.remove(); // until all are there: to ask what is hidden has the styles of all found that stand in the page

    const [number, name] = title(box.querySelector("h1"));
    head(box, `${number}  ${box.querySelector("h1").lastChild.textContent}`.trim());
    contents.push([1, number, name, box.id]);
    all("h2", box).forEach((heading) => contents.push([2, ...title(heading), heading.parentNode.id]));
    return { box, solutions, cited: all(".cited .citation", box), number, name };
  };

  const read = async (page) => {
    const answer = await fetch(`/${page}.html`);
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    return {
      text: parsed.querySelector("article"),
      about: parsed.querySelector("meta[name=description]")?.content,
      formulas: parsed.getElementById("formulas")?.textContent ?? "",
      site: parsed.querySelector("link[rel=canonical]")?.href.replace(`/${page}.html`, ""),
    };
  };

  const behind = (name, ...children) => {
    const level = document.querySelector("nav") ? "h1" : "h2";
    const box = create("section", { id: slug(name.toLowerCase()), className: "behind" });
    box.append(create(level, {}, name), ...children);
    head(box, name);
    contents.push([1, "", name, box.id]);
    return box;
  };

  // parts: [caption, [page, …]], …; a caption stands on a page of its own where there are several
  globalThis.join = async (parts) => {
    const pages = parts.flatMap(([, names]) => names);
    const boxes = [], styles = new Set(), solutions = [], cited = new Map();
    for (const [caption, names] of parts) {
      const part = create("section", { id: `part-${slug(caption)}`, className: "part" }, create("h1", {}, caption));
      if (parts.length > 1) {
        boxes.push(part);
        contents.push([0, "", caption, part.id]);
      }
      for (const name of names) {
        const parsed = await read(name);
        const done = chapter(name, pages, parsed);
        boxes.push(done.box);
        for (const [rule] of parsed.formulas.matchAll(/\.\w+\{[^{}]*\}/g)) styles.add(rule);
        const link = create("a", { href: `#${slug(name)}` });
        link.innerHTML = `${done.number} ${done.name}`;
        part.append(create("p", {}, link, create("br"), parsed.about ?? ""));
        done.cited.forEach((work) => cited.set(work.id, work));
        all(".cited", done.box).forEach((list) => list.remove());
        if (pages.length === 1) solutions.push(...done.solutions.children);
        else if (done.solutions.children.length) {
          const heading = create("h2", {});
          heading.innerHTML = `<span class="section-number">${done.number} </span>${done.name}`;
          solutions.push(heading, ...done.solutions.children);
        }
      }
    }
    if (solutions.length) boxes.push(behind("Solutions", ...solutions));
    const works = [...cited.values()].sort((a, b) => a.id.localeCompare(b.id, "en")); // that is, by author and year
    if (works.length) boxes.push(behind("References", ...works));
    document.querySelector("main article").append(...boxes);

    document.head.append(create("style", {}, `.katex{${[...styles].join("")}}${[...rules].join("")}`));
    boxes.at(-1).append(...all("article > .imprint"));
    for (const [level, number, name, id] of contents) {
      const link = create("a", { href: `#${id}` });
      link.innerHTML = `<b>${number}</b><span>${name}</span><i class="at">000</i>`;
      document.querySelector("nav")?.append(create("p", { className: `level-${level}` }, link));
    }
    await document.fonts.ready;
    return all("h1, h2, h3, h4").map((heading) => [
      parts.length > 1 && heading.matches(":is(.part, .behind) > h1") ? 0 : Number(heading.localName[1]),
      heading.textContent.replace(/\s+/g, " ").trim()]);
  };

  // Numbers of pages, by the place that is on them.
  globalThis.number = (found) => all(".at").forEach((node) => {
    const id = decodeURIComponent(node.closest("a").hash.slice(1));
    if (id in found) node.textContent = found[id];
  });
})();

// Figures can be taken along, as they stand: SVG and PNG, with the faces of the page and a line to cite.
(() => {
  const NS = "http://www.w3.org/2000/svg";
  const SCALE = 3; // of the PNG, in pixels of the screen
  const GAP = 16, HEAD = 20; // between panels, and for the words above one

  const make = (tag, attributes, text = "") => {
    const node = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.textContent = text;
    return node;
  };

  // The faces stand in the style sheet as data; from a disk a browser may not let a script read it.
  const faces = () => [...document.styleSheets].flatMap((sheet) => {
    try { return [...sheet.cssRules]; } catch { return []; }
  }).filter((rule) => rule instanceof CSSFontFaceRule).map((rule) => rule.cssText);

  const used = (svgs) => {
    const families = new Set(svgs.flatMap((svg) => [...svg.querySelectorAll("text, text *")])
      .flatMap((node) => getComputedStyle(node).fontFamily.split(",").map((name) => name.trim().replace(/"/g, ""))));
    return faces().filter((face) => families.has(face.match(/font-family:\s*"?([^";]+)/)[1]));
  };

  // What the page gives to its figures: ink, colours by name, the text face.
  const settled = (svg) => {
    const copy = svg.cloneNode(true), style = getComputedStyle(svg);
    const names = new Set(svg.outerHTML.match(/var\(--[\w-]+/g));
    copy.removeAttribute("style");
    for (const name of names) {
      const value = style.getPropertyValue(name.slice(4));
      if (value) copy.style.setProperty(name.slice(4), value);
    }
    copy.style.color = style.color;
    copy.style.fontFamily = style.fontFamily;
    return copy;
  };

  const picture = (figure) => {
    const svgs = [...figure.querySelectorAll(".panels svg")];
    const rows = []; // as they stand on the page
    for (const svg of svgs) {
      const top = svg.getBoundingClientRect().top;
      const row = rows.find(([first]) => Math.abs(first.getBoundingClientRect().top - top) < 10);
      if (row) row.push(svg);
      else rows.push([svg]);
    }
    const whole = make("svg", { xmlns: NS });
    const number = figure.querySelector("figcaption b")?.textContent ?? "A figure";
    const line = `${number} of ${document.documentElement.dataset.cite}`;
    whole.append(make("title", {}, line), make("desc", {}, figure.querySelector(".panels").getAttribute("aria-label")));
    whole.append(make("style", {}, used(svgs).join("\n")));
    let y = 0, width = 0;
    for (const row of rows) {
      let x = 0, height = 0;
      const heads = row.map((svg) => svg.closest(".panel")?.querySelector(".heading")?.textContent ?? "");
      const head = heads.some(Boolean) ? HEAD : 0;
      row.forEach((svg, k) => {
        const { width: w, height: h } = svg.viewBox.baseVal, copy = settled(svg);
        for (const [name, value] of Object.entries({ x, y: y + head, width: w, height: h })) copy.setAttribute(name, value);
        if (heads[k]) {
          const words = make("text", { x: x + w / 2, y: y + head - 6, "text-anchor": "middle", "font-size": 11 }, heads[k]);
          words.style.fontFamily = copy.style.fontFamily;
          words.style.fill = copy.style.color;
          whole.append(words);
        }
        whole.append(copy);
        x += w + GAP;
        height = Math.max(height, head + h);
      });
      width = Math.max(width, x - GAP);
      y += height + GAP;
    }
    const size = { viewBox: `0 0 ${width} ${y - GAP}`, width, height: y - GAP };
    for (const [name, value] of Object.entries(size)) whole.setAttribute(name, value);
    return { text: new XMLSerializer().serializeToString(whole), width, height: y - GAP };
  };

  const save = (blob, name) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const png = async ({ text, width, height }) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: width * SCALE, height: height * SCALE });
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  };

  for (const figure of document.querySelectorAll("figure[id]:has(.panels)")) {
    const name = figure.id.replace(/^fig-/, "");
    const ways = {
      SVG: () => save(new Blob([picture(figure).text], { type: "image/svg+xml" }), `${name}.svg`),
      PNG: async () => save(await png(picture(figure)), `${name}.png`),
    };
    const box = Object.assign(document.createElement("span"), { className: "take" });
    for (const [kind, way] of Object.entries(ways)) {
      const button = Object.assign(document.createElement("button"), {
        type: "button", textContent: kind, ariaLabel: `This figure as ${kind}`, onclick: way });
      box.append(button);
    }
    figure.querySelector("figcaption").append(" ", box);
  }
})();

// Figures with knobs. The picture is the one that Python drew; the knobs move what is in it.
//
// A figure's module (figures/<module>.js) is three functions without side effects:
//   compute(knobs, data) -> values              what the figure shows, in numbers
//   draw(values) -> {name: …}                   by the gid, in the coordinates of the axes:
//     a line, dots, a filled polygon              [xs, ys]; NaN lifts the pen, or hides the dot
//     a filling between two curves                [xs, lows, highs]
//     arrows                                      [starts, ends], of points [x, y]
//     a picture, a text                           [[x], [y]], where its middle or its anchor goes
//     a word in a caption or a heading            a string
//     and after these an object of styles, such as {opacity: 0.5}
//   describe(values, knobs) -> string           the same in a sentence
// Plain scripts, since browsers refuse to import modules into a page that is opened from disk.
const softmaxFigures = {};

// What several modules need.
const softmaxTools = {
  softmax(logits, temperature = 1) {
    const top = Math.max(...logits);
    const weights = logits.map((logit) => Math.exp((logit - top) / temperature));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((weight) => weight / sum);
  },
  // Where laws on three items stand: 1 left, 2 right, 3 at the top.
  simplex(laws) {
    return [laws.map(([, right, top]) => right + top / 2), laws.map(([, , top]) => top * Math.sqrt(0.75))];
  },
};

(() => {
  const create = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };

  const place = (x, y, scale) => [scale.x[0] + scale.x[1] * x, scale.y[0] + scale.y[1] * y];
  const typeset = (text) => text.replace(/(?<![\w.)])-(?=[\d.])/g, "−"); // a minus is no hyphen
  const write = (point) => point.map((coordinate) => coordinate.toFixed(3)).join(" ");

  const path = (xs, ys, scale, close = "") => {
    let d = "";
    let pen = "M";
    xs.forEach((x, i) => {
      const point = place(x, ys[i], scale);
      const seen = point.every(Number.isFinite);
      if (seen) d += (pen === "M" && d ? close : "") + pen + write(point);
      pen = seen ? "L" : "M";
    });
    return d && d + close;
  };

  // As Arrows in softmaxnotes/figures/drawing.py, in points.
  const [HEAD, HALF] = [5, 0.45];
  const arrow = (start, end) => {
    const [dx, dy] = [start[0] - end[0], start[1] - end[1]];
    const length = Math.hypot(dx, dy);
    if (!(length > 0)) return "";
    const [back, size] = [Math.atan2(dy, dx), Math.min(HEAD, length / 2)];
    const barb = (turn) => write([end[0] + size * Math.cos(back + turn), end[1] + size * Math.sin(back + turn)]);
    return `M${write(start)}L${write(end)}M${barb(-HALF)}L${write(end)}L${barb(HALF)}`;
  };

  // How each kind of drawing follows: its node in the picture, and what is done to it.
  const inner = (tag) => (group) => group.querySelector(tag);
  const KINDS = {
    line: [inner("path"), (node, scale, [xs, ys]) => node.setAttribute("d", path(xs, ys, scale))],
    fill: [inner("path"), (node, scale, [xs, ys, highs]) => {
      const back = Array.isArray(highs) ? [...xs.keys()].reverse() : [];
      const outline = [[...xs, ...back.map((i) => xs[i])], [...ys, ...back.map((i) => highs[i])]];
      node.setAttribute("d", path(...outline, scale, "Z"));
    }],
    arrows: [inner("path"), (node, scale, [starts, ends]) =>
      node.setAttribute("d", starts.map((start, i) => arrow(place(...start, scale), place(...ends[i], scale))).join(""))],
    dots: [inner("g"), (node, scale, [xs, ys]) => {
      const [first] = node.children;
      while (node.children.length < xs.length) node.append(first.cloneNode());
      [...node.children].forEach((dot, i) => {
        const point = place(xs[i], ys[i], scale);
        const seen = point.every(Number.isFinite);
        dot.style.display = seen ? "" : "none";
        if (seen) ["x", "y"].forEach((axis, k) => dot.setAttribute(axis, point[k].toFixed(3)));
      });
    }],
    group: [(group) => group, (node, scale, [[x], [y]]) => {
      const [to, from] = [place(x, y, scale), place(...scale.at, scale)];
      node.setAttribute("transform", `translate(${write([to[0] - from[0], to[1] - from[1]])})`);
    }],
    label: [(span) => span, (node, scale, text) => { node.textContent = typeset(text); }],
  };

  const shown = (value, { step, log }) => {
    const digits = (String(step).split(".")[1] ?? "").length;
    const text = log ? String(Number(value.toPrecision(3))) : value.toFixed(digits);
    return typeset(text);
  };

  const knob = (figure, { name, label, options, low, high, step, value }) => {
    const id = `${figure.id}-${name}`;
    const caption = create("label", { htmlFor: id }, label);
    if (options) {
      const choices = Object.entries(options).map(([key, text]) => new Option(text, key, key === value, key === value));
      return create("div", {}, caption, create("select", { id, name, autocomplete: "off" }, ...choices));
    }
    // A screen reader says the value of a slider by itself, and would say it again.
    const output = create("output", { htmlFor: id, ariaLive: "off" });
    const slider = create("input", { id, name, type: "range", min: low, max: high, step, defaultValue: value });
    slider.autocomplete = "off";
    return create("div", {}, caption, output, slider);
  };

  const start = (figure) => {
    const [controls, curves, data] = ["controls", "curves", "data"].map((key) => JSON.parse(figure.dataset[key]));
    const { compute, draw, describe } = softmaxFigures[figure.dataset.module];
    const panels = figure.querySelector(".panels");
    const reading = create("p", { role: "status" });
    const form = create("form", {}, ...controls.map((control) => knob(figure, control)));
    form.append(create("button", { type: "reset" }, "Reset"));
    panels.after(form, reading);

    // What is printed is the still picture, which the caption and the text speak of.
    const lively = (kind, group, scale) => {
      const [find, move] = KINDS[kind];
      const still = find(group);
      const live = still.cloneNode(true);
      for (const node of [live, ...live.querySelectorAll("[id]")]) node.removeAttribute("id");
      still.classList.add("still");
      live.classList.add("live");
      still.after(live);
      return (drawn) => {
        move(live, scale, drawn);
        const styles = Array.isArray(drawn) ? drawn.at(-1) : [];
        if (!Array.isArray(styles)) Object.assign(live.style, styles);
      };
    };
    const moves = Object.fromEntries([
      ...Object.entries(curves).map(([name, { id, kind = "line", ...scale }]) =>
        [name, lively(kind, document.getElementById(id), scale)]),
      ...[...figure.querySelectorAll("[data-label]")].map((span) => [span.dataset.label, lively("label", span)]),
    ]);

    const update = () => {
      const knobs = {};
      for (const control of controls) {
        const { name, options, log } = control;
        const input = form.elements.namedItem(name);
        knobs[name] = options ? input.value : log ? 10 ** input.valueAsNumber : input.valueAsNumber;
        if (options) continue;
        form.querySelector(`output[for="${input.id}"]`).value = shown(knobs[name], control);
        if (log) input.ariaValueText = shown(knobs[name], control);
      }
      const values = compute(knobs, data);
      for (const [name, drawn] of Object.entries(draw(values))) moves[name](drawn);
      reading.textContent = typeset(describe(values, knobs));
      figure.values = values;
    };

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      reading.ariaBusy = "true"; // a hand that still drags is not to be talked to
      update();
      panels.ariaLabel = reading.textContent; // the text for the still picture is no longer true
    });
    form.addEventListener("change", () => { reading.ariaBusy = "false"; });
    const alt = panels.ariaLabel;
    form.addEventListener("reset", () => setTimeout(() => { // when the knobs are back
      reading.ariaBusy = "false";
      update();
      panels.ariaLabel = alt;
    }));
    update();
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("figure.interactive").forEach(start);
  });
})();

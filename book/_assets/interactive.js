// Figures with knobs. The picture is the one that Python drew; the knobs move its curves.
//
// A figure's module (figures/<module>.js) is three functions without side effects:
//   compute(knobs, data) -> values              what the figure shows, in numbers
//   draw(values) -> {curve: [xs, ys]}           in the coordinates of the axes; NaN lifts the pen
//   describe(values, knobs) -> string           the same in a sentence
// Plain scripts, since browsers refuse to import modules into a page that is opened from disk.
const softmaxFigures = {};

(() => {
  const create = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };

  const path = ([xs, ys], { x, y }) => {
    let d = "";
    let pen = "M";
    xs.forEach((abscissa, i) => {
      const point = [x[0] + x[1] * abscissa, y[0] + y[1] * ys[i]];
      const seen = point.every(Number.isFinite);
      if (seen) d += pen + point.map((coordinate) => coordinate.toFixed(3)).join(" ");
      pen = seen ? "L" : "M";
    });
    return d;
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
    const lines = Object.fromEntries(Object.entries(curves).map(([name, { id }]) => {
      const still = document.getElementById(id).querySelector("path");
      const live = still.cloneNode();
      still.classList.add("still");
      live.classList.add("live");
      still.after(live);
      return [name, live];
    }));

    const update = () => {
      const knobs = {};
      for (const { name, options, step } of controls) {
        const input = form.elements.namedItem(name);
        knobs[name] = options ? input.value : input.valueAsNumber;
        if (options) continue;
        const digits = (String(step).split(".")[1] ?? "").length;
        form.querySelector(`output[for="${input.id}"]`).value = knobs[name].toFixed(digits).replace("-", "−");
      }
      const values = compute(knobs, data);
      for (const [name, points] of Object.entries(draw(values))) {
        lines[name].setAttribute("d", path(points, curves[name]));
      }
      reading.textContent = describe(values, knobs);
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

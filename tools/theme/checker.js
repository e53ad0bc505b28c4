// Answers to exercises and changed lines of derivations, judged on the page by the book's own checker.  Nothing is
// loaded before the first letter that is typed in the book; then Python and the checker come, into a worker that is
// kept while the page is open.
(() => {
  const { files, page, packages, address: folderOfPackages } = JSON.parse(document.getElementById("checker").textContent);
  const folder = new URL("checker/", document.currentScript.src);
  const address = (name) => `${new URL(name, folder)}?${files[name]}`;
  const LIMIT = 10; // seconds that a question may take
  const PACKED = ["wasm.bin", "python.bin", "proofread.bin", "worker.bin"];

  const element = (tag, text, properties) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(text);
    return node;
  };
  const script = (name) => new Promise((done, failed) => {
    document.head.append(Object.assign(document.createElement("script"), {
      src: address(name), onload: done, onerror: () => failed(new Error(`${name} did not come`)),
    }));
  });

  // --- Formulas, and words with formulas between dollars and code between backticks; never read as HTML
  const typeset = (tex) => {
    const node = document.createElement("span");
    try { katex.render(`\\displaystyle ${tex}`, node, { trust: false, maxExpand: 200 }); } catch { node.textContent = tex; }
    return node;
  };
  const told = (text) => text.split(/(\$[^$]+\$|`[^`]+`|\*[^*\s][^*]*\*)/).filter(Boolean).map((part) => {
    const inner = part.slice(1, -1);
    if (/^\$.+\$$/s.test(part)) return typeset(inner);
    if (/^`.+`$/s.test(part)) return element("code", inner);
    return /^\*.+\*$/s.test(part) ? element("em", inner) : part;
  });

  // --- The files: fetched, or from disk, where a page may run scripts and fetch nothing, taken from one of them
  let latest = "", hear = () => {}; // what is told where one waits
  const progress = (words) => { latest = words; hear(words); };
  const shelf = () => self.caches?.open("checker").catch(() => undefined); // none in a private window, or from disk
  const fetched = async (url, options, seen = () => {}) => { // kept by the browser, whatever the server says
    const store = await shelf();
    const response = await store?.match(url) ?? await fetch(url, options);
    if (!response.ok) throw new Error(`${new URL(url).pathname.split("/").pop()}: ${response.status}`);
    const parts = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      seen(value.length);
    }
    const all = new Blob(parts);
    await store?.put(url, new Response(all));
    return all.arrayBuffer();
  };
  const isHere = async () => { // since an earlier page
    const store = await shelf();
    return store && (await Promise.all(PACKED.map((name) => store.match(address(name))))).every(Boolean);
  };
  const decoded = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
  const through = (data, way) => new Response(new Blob([data]).stream().pipeThrough(way));
  const unpacked = (data) => through(data, new DecompressionStream("gzip")).blob();
  const load = async () => {
    progress("Loading the checker, 9 MB: once for the whole book…");
    const typesetter = self.katex ?? script("katex.js");
    let parts;
    if (location.protocol === "file:") {
      if (!self.CHECKER) await script("disk.js");
      parts = PACKED.map((name) => decoded(self.CHECKER[name]));
    } else {
      let bytes = 0;
      const seen = (more) => {
        if (Math.floor((bytes + more) / 1e6) > Math.floor(bytes / 1e6)) {
          progress(`Loading the checker: ${Math.floor((bytes + more) / 1e6)} of 9 MB…`);
        }
        bytes += more;
      };
      const others = new AbortController(); // where one file fails, none of the others tells its progress any more
      parts = await Promise.all(PACKED.map((name) => fetched(address(name), { signal: others.signal }, seen)))
        .catch((error) => { others.abort(); throw error; });
    }
    await typesetter;
    const [wasm, python, proofread, code] = parts;
    const text = new Blob([await unpacked(code)], { type: "text/javascript" });
    return { start: { wasm, python, proofread, packages }, code: URL.createObjectURL(text) };
  };

  // Libraries, from the address that the owner of the site has given, if they are the very files that are known here.
  const needed = (names) => [...new Set(names.flatMap((name) => [...needed(packages[name].depends), name]))];
  const loadPackages = async (names) => {
    if (location.protocol === "file:") throw new Error("libraries come to a page on the web only");
    const wheels = {}, host = new URL(folderOfPackages).host;
    for (const name of names) {
      const { file_name: file, integrity, version } = packages[name];
      progress(`Fetching ${name} ${version} from ${host}: once for the whole book…`);
      wheels[file] = await fetched(folderOfPackages + file, { integrity }).catch((error) => {
        throw new Error(`${file} did not come from ${host}, or is another file: ${error.message}`);
      });
    }
    return { install: names, wheels, standard: await fetched(address("standard.zip")) };
  };

  // --- The worker: one question after the other
  const LATE = new Error("too late");
  let loaded, begun, worker, turn = Promise.resolve();
  const installed = new Set(); // libraries of this worker
  const end = () => { worker?.terminate(); begun = worker = undefined; installed.clear(); latest = ""; hear = () => {}; };
  const post = (question) => new Promise((done, failed) => {
    worker.onmessage = ({ data }) => (data.failed === undefined ? done(data.said) : failed(new Error(data.failed)));
    worker.onerror = (event) => failed(new Error(event.message || "the worker does not start"));
    worker.postMessage(question);
  });
  const start = async () => {
    loaded ??= load();
    const { start: parts, code } = await loaded.catch((error) => { loaded = undefined; throw error; });
    progress("Starting Python…");
    const before = await recalled();
    worker = new Worker(code);
    await post({ start: { ...parts, before }, page }).catch(async (error) => {
      if (!before) throw error;
      await forgetMemories(); // it does not fit this browser any more
      worker.terminate();
      worker = new Worker(code);
      await post({ start: parts, page });
    });
    latest = "";
    keep();
  };
  const install = async (names) => {
    const missing = needed(names).filter((name) => !installed.has(name));
    if (!missing.length) return;
    await post(await loadPackages(missing));
    missing.forEach((name) => installed.add(name));
    progress("Checking…");
    latest = "";
  };
  const begin = () => (begun ??= start().catch((error) => { end(); throw error; }));
  const ask = (question, needs = []) => {
    const asked = turn.then(async () => {
      await begin();
      await install(needs);
      let late;
      const limit = new Promise((_, failed) => { late = setTimeout(failed, 1000 * LIMIT, LATE); });
      try {
        return await Promise.race([post(question), limit]);
      } catch (error) { // what runs cannot be interrupted: another Python begins
        end();
        begin().catch(() => {});
        throw error;
      } finally { clearTimeout(late); }
    });
    turn = asked.catch(() => {});
    return asked;
  };

  // The memory of a Python that has imported the checker is kept: on the next page another goes on from there.
  // It fits these files and this browser.
  const path = `${new URL("memory", folder)}?`;
  const memory = path + encodeURIComponent([...PACKED.map((name) => files[name]), navigator.userAgent].join(" "));
  const recalled = async () => (await (await shelf())?.match(memory))?.arrayBuffer();
  const forgetMemories = async () => {
    const store = await shelf();
    for (const { url } of await store.keys()) if (url.startsWith(path)) await store.delete(url);
  };
  let remembering;
  const keepMemory = async () => {
    const store = await shelf();
    if (remembering || !store || await store.match(memory)) return;
    remembering = true;
    const bytes = await ask({ how: "remember" });
    if (!bytes) return; // it began from one itself
    await forgetMemories();
    await store.put(memory, through(bytes, new CompressionStream("gzip")));
  };

  // Kept for the next time without a network; a page from disk needs no keeping.
  let keeping;
  const keep = () => {
    if (keeping || !navigator.serviceWorker || !location.protocol.startsWith("http")) return;
    keeping = navigator.serviceWorker.register(new URL("../../offline.js", folder)).then(() => navigator.serviceWorker.ready)
      .then(({ active }) => active.postMessage([location.href.split("#")[0],
        ...performance.getEntriesByType("resource").map(({ name }) => name)])).catch(() => {});
  };

  // --- What is typed is kept while the tab is open: who follows a link, or loads the page again, finds it there
  const key = (asked) => `${location.pathname} ${asked}`;
  const kept = (asked) => { try { return sessionStorage.getItem(key(asked)); } catch { return null; } };
  const remember = (asked, text) => { try { sessionStorage.setItem(key(asked), text); } catch { /* private window */ } };
  const forget = (asked) => { try { sessionStorage.removeItem(key(asked)); } catch { /* private window */ } };

  // --- The fields
  const field = (form) => {
    const { answer } = form.elements, button = form.querySelector("button");
    const reading = form.querySelector(".reading"), output = form.querySelector("output");
    const label = form.dataset.asked, isCode = answer.matches("textarea"), needs = form.dataset.needs?.split(" ");
    const say = (status, ...words) => { form.dataset.status = status; output.replaceChildren(...words); };
    const show = (tex) => reading.replaceChildren(...(tex ? ["Read as ", typeset(tex)] : []));
    const failed = (error) => say("undecided", error === LATE
      ? `This took longer than ${LIMIT} seconds and was stopped: it is undecided.`
      : `The checker failed (${error.message}). The notebook of this chapter has it, too.`);
    const listen = () => {
      hear = (words) => say("busy", words);
      if (latest) hear(latest);
    };
    const ready = async () => { // loading is told where one waits for it
      if (begun && !latest) return begun;
      listen();
      await begin();
      return say("", "");
    };

    answer.value = kept(label) ?? answer.value;
    let waiting, asking;
    const read = async () => { // how the answer is read, while it is typed; the verdict is given when it is asked for
      const text = answer.value;
      if (asking || isCode) return;
      asking = true;
      try {
        const { tex } = text.trim() ? await ask({ how: "read", label, text }) : {};
        if (answer.value === text) show(tex);
      } catch (error) { failed(error); } finally { asking = false; }
      if (answer.value !== text) read();
    };
    answer.addEventListener("focus", async () => { // who has the files waits for Python alone: it starts now
      if (!begun && await isHere()) begin().catch(() => {});
    });
    answer.addEventListener("input", () => {
      clearTimeout(waiting);
      remember(label, answer.value);
      if (form.dataset.status !== "busy") say("", "");
      ready().catch(failed);
      waiting = setTimeout(read, 200);
    });
    if (isCode) answer.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) return form.requestSubmit();
      const line = answer.value.slice(0, answer.selectionStart).split("\n").pop();
      const indent = line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : "");
      answer.setRangeText(`\n${indent}`, answer.selectionStart, answer.selectionEnd, "end");
      answer.dispatchEvent(new Event("input"));
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (button.getAttribute("aria-disabled") === "true") return;
      clearTimeout(waiting);
      button.setAttribute("aria-disabled", "true");
      try {
        listen();
        await begin();
        say("busy", "Checking…");
        const said = await ask({ how: "judge", label, text: answer.value }, needs);
        show(said.tex);
        say(said.status, ...told(said.text), ...(said.printed ? [element("pre", said.printed)] : []));
        keepMemory().catch(() => {}); // where no room is, the next page begins as this one
      } catch (error) { failed(error); }
      button.removeAttribute("aria-disabled");
    });
  };
  document.querySelectorAll("form.field").forEach(field);

  // --- Lines of derivations: each opens as text, in a form below its equation
  const close = (button) => {
    forget(button.dataset.asked);
    button.setAttribute("aria-expanded", "false");
    document.getElementById(button.getAttribute("aria-controls")).remove();
    button.removeAttribute("aria-controls");
  };
  const open = (button) => {
    const box = button.closest(".eqbox"), form = document.getElementById("line").content.firstElementChild.cloneNode(true);
    box.querySelectorAll(".change[aria-controls]").forEach(close);
    const { answer } = form.elements;
    form.id = `change-${button.dataset.asked}`;
    form.dataset.asked = button.dataset.asked;
    answer.id = form.querySelector("label").htmlFor = `answer-${button.dataset.asked}`;
    answer.value = button.dataset.text;
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-controls", form.id);
    form.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") { close(button); button.focus(); }
    });
    box.append(form);
    field(form);
    return answer;
  };
  for (const button of document.querySelectorAll("button.change")) {
    button.addEventListener("click", () => {
      if (button.hasAttribute("aria-controls")) return close(button);
      const answer = open(button);
      answer.focus();
      return answer.setSelectionRange(0, 0); // a long line shows how it begins
    });
    if (kept(button.dataset.asked) !== null) open(button);
  }
})();

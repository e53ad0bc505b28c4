// Behind the page: Python, and the checker in it.  `archive` puts Pyodide before this text, as `loadPyodide`,
// `createPyodideModule` and `LOCK`.  A formula that is typed is data here; a function that an exercise asks for
// is run.  Nothing here reaches a network.
let pyodide, Page, judged; // the exercises of the page
const here = {}; // files by their names: Pyodide asks for them by address

for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "Worker",
  "SharedWorker", "BroadcastChannel", "indexedDB", "caches"]) {
  for (let owner = self; owner; owner = Object.getPrototypeOf(owner)) delete owner[name];
}

const unpacked = async (buffer) => {
  const stream = new Blob([buffer]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// The memory of a Python that has imported all this: on the next page another goes on from there.
let memory;
const IMPORT = `
import sys
sys.path.insert(0, "/lib/proofread.zip")
import tools.checker.judging, tools.checker.timer
import sympy.tensor.tensor  # which SymPy itself imports with the first formula that it simplifies
`;

// Pyodide asks for memory of the size of what it restores, and its module begins smaller.
const grown = (size) => async (settings) => {
  const module = await createPyodideModule(settings);
  while (module.HEAP8.length < size) {
    if (!module._malloc(Math.min(2 ** 24, size))) throw new Error("not enough memory");
  }
  return module;
};

async function start({ wasm, python, proofread, packages = {}, before }) {
  const [code, library, own, kept] = await Promise.all([wasm, python, proofread, before].map((data) => data && unpacked(data)));
  here["python.zip"] = library;
  self.fetch = async (address) => {
    const name = String(address?.url ?? address).split("/").pop();
    if (name.endsWith(".wasm")) return new Response(code, { headers: { "Content-Type": "application/wasm" } });
    if (name in here) return new Response(here[name]);
    throw new Error(`nothing is fetched here: ${name}`);
  };
  // A policy may forbid WebAssembly, and Pyodide would wait for ever: the smallest module says so.
  await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const nowhere = "https://none.invalid/";
  pyodide = await loadPyodide({
    ...(kept ? { createPyodideModule: grown(kept.length), _loadSnapshot: kept } : { createPyodideModule, _makeSnapshot: true }),
    indexURL: nowhere, packageBaseUrl: nowhere, stdLibURL: `${nowhere}python.zip`,
    lockFileContents: { info: LOCK, packages }, env: { PYTHONHASHSEED: "0", HOME: "/", SYMPY_CACHE_SIZE: "none" },
  });
  pyodide.FS.writeFile("/lib/proofread.zip", own);
  if (!kept) {
    pyodide.runPython(IMPORT);
    memory = pyodide.makeMemorySnapshot();
  }
  clock(pyodide);
  Page = pyodide.pyimport("tools.checker.judging").Page;
}

// Libraries whose files are given, and what of Python's own they need and the checker does not.
async function install(names, wheels, standard) {
  Object.assign(here, wheels);
  await pyodide.loadPackage(names, { messageCallback: () => {}, checkIntegrity: false }); // the page has checked them
  pyodide.FS.writeFile("/lib/standard.zip", new Uint8Array(standard));
  pyodide.runPython("import sys; sys.path.append('/lib/standard.zip')");
}

// Python asks this "buffer" every so many instructions, in this very thread, whether a signal has come.
function clock(pyodide) {
  let due = Infinity, interval = 0;
  pyodide.setInterruptBuffer({
    get 0() {
      const now = performance.now();
      if (now < due) return 0;
      due = interval ? now + interval : Infinity;
      return 27; // SIGPROF
    },
    set 0(_) { /* Python has seen the signal */ },
  });
  const ring = (when, again) => { due = when; interval = again; };
  pyodide.pyimport("tools.checker.timer").install(ring, () => performance.now());
}

self.onmessage = async ({ data: { id, start: files, install: names, wheels, standard, page, how, label, text } }) => {
  try {
    if (files) await start(files);
    if (names) await install(names, wheels, standard);
    if (page) judged = Page(page);
    if (how === "remember") {
      return postMessage({ id, said: memory }, memory ? [memory.buffer] : []);
    }
    postMessage({ id, said: how && judged[how](label, text).toJs({ dict_converter: Object.fromEntries }) });
  } catch (error) {
    postMessage({ id, failed: String(error).trim().split("\n").pop() });
  }
};

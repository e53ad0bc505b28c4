// node trial.mjs PYODIDE ARCHIVE < asked.json: what the worker of a page says of answers, from the very files that
// a page loads.  Asked are pages, each its data and a list of labels with answers, and how these are judged; the list
// of packages, and the paths of their files, where a page may need them.
// From the second page on it is a worker that goes on from the memory of the first, as in a browser.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const folder = process.argv[3];
const whole = (path) => { const { buffer, byteOffset, length } = readFileSync(path); return buffer.slice(byteOffset, byteOffset + length); };
const file = (name) => whole(`${folder}/${name}`);
const through = (data, way) => new Blob([data]).stream().pipeThrough(way);
const unpacked = (name) => new Response(through(file(name), new DecompressionStream("gzip"))).text();

// The scope of a worker, as Pyodide recognises it; nothing of Node is in it.
class WorkerGlobalScope { static [Symbol.hasInstance]() { return true; } }
const code = await unpacked("worker.bin");
const worker = () => {
  const scope = vm.createContext({
    WorkerGlobalScope, Blob, Response, DecompressionStream, performance, TextDecoder, TextEncoder, URL, URLSearchParams,
    AbortController, AbortSignal, Headers, Request, FormData, crypto, atob, btoa, console, setTimeout, clearTimeout, setInterval,
    clearInterval, queueMicrotask, structuredClone, navigator: { userAgent: "Chrome" }, location: new URL("https://none.invalid/"),
  });
  scope.self = scope;
  vm.runInContext(code, scope);
  return (question) => new Promise((done, failed) => {
    scope.postMessage = ({ said, failed: why }) => (why === undefined ? done(said) : failed(new Error(why)));
    scope.onmessage({ data: question });
  });
};

const { pages, packages, given } = JSON.parse(readFileSync(0, "utf8"));
const files = { ...Object.fromEntries(["wasm", "python", "proofread"].map((name) => [name, file(`${name}.bin`)])), packages };
const wheels = Object.fromEntries(Object.entries(given).map(([name, path]) => [name, whole(path)]));
const said = [];
let ask;
const begin = async (before) => {
  ask = worker();
  await ask({ start: { ...files, before } });
  if (Object.keys(packages).length) await ask({ install: Object.keys(packages), wheels, standard: file("standard.zip") });
};
await begin();
for (const [number, { data, answers }] of pages.entries()) {
  if (number === 1) {
    const memory = await ask({ how: "remember" });
    await begin(await new Response(through(memory, new CompressionStream("gzip"))).arrayBuffer());
  }
  await ask({ page: data });
  for (const [label, text, how = "judge"] of answers) {
    const began = performance.now();
    said.push({ ...await ask({ how, label, text }), ms: performance.now() - began });
  }
}
process.stdout.write(JSON.stringify(said), () => process.exit(0)); // not before all is written

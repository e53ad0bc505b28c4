// node trial.mjs PYODIDE ARCHIVE < asked.json: what the worker of a page says of answers, from the very files that
// a page loads.  Asked is a list of pages, each its data and a list of labels with answers, and how these are judged.
// From the second page on it is a worker that goes on from the memory of the first, as in a browser.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const folder = process.argv[3];
const file = (name) => { const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`); return buffer.slice(byteOffset, byteOffset + length); };
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

const files = Object.fromEntries(["wasm", "python", "proofread"].map((name) => [name, file(`${name}.bin`)]));
const asked = JSON.parse(readFileSync(0, "utf8"));
const said = [];
let ask = worker();
await ask({ start: files });
for (const [number, { data, answers }] of asked.entries()) {
  if (number === 1) {
    const memory = await ask({ how: "remember" });
    ask = worker();
    await ask({ start: { ...files, before: await new Response(through(memory, new CompressionStream("gzip"))).arrayBuffer() } });
  }
  await ask({ page: data });
  for (const [label, text, how = "judge"] of answers) {
    const began = performance.now();
    said.push({ ...await ask({ how, label, text }), ms: performance.now() - began });
  }
}
process.stdout.write(JSON.stringify(said), () => process.exit(0)); // not before all is written

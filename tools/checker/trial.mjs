// node trial.mjs PYODIDE ARCHIVE < asked.json: what the worker of a page says of answers, from the very files that
// a page loads.  Asked is a list of pages, each its data and a list of labels with answers, and how these are judged.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const folder = process.argv[3];
const file = (name) => { const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`); return buffer.slice(byteOffset, byteOffset + length); };
const unpacked = async (name) => new Response(new Blob([file(name)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();

// The scope of a worker, as Pyodide recognises it; nothing of Node is in it.
class WorkerGlobalScope { static [Symbol.hasInstance]() { return true; } }
const scope = vm.createContext({
  WorkerGlobalScope, Blob, Response, DecompressionStream, performance, TextDecoder, TextEncoder, URL, URLSearchParams,
  AbortController, AbortSignal, Headers, Request, FormData, crypto, atob, btoa, console, setTimeout, clearTimeout, setInterval,
  clearInterval, queueMicrotask, structuredClone, navigator: { userAgent: "Chrome" }, location: new URL("https://none.invalid/"),
});
scope.self = scope;
vm.runInContext(await unpacked("worker.bin"), scope);
const ask = (question) => new Promise((done, failed) => {
  scope.postMessage = ({ said, failed: why }) => (why === undefined ? done(said) : failed(new Error(why)));
  scope.onmessage({ data: question });
});

const asked = JSON.parse(readFileSync(0, "utf8"));
const said = [];
let started = false;
for (const { data, answers } of asked) {
  const files = started ? {} : Object.fromEntries(["wasm", "python", "proofread"].map((name) => [name, file(`${name}.bin`)]));
  await ask(started ? { page: data } : { start: files, page: data });
  started = true;
  for (const [label, text, how = "judge"] of answers) {
    const began = performance.now();
    said.push({ ...await ask({ how, label, text }), ms: performance.now() - began });
  }
}
process.stdout.write(JSON.stringify(said), () => process.exit(0)); // not before all is written

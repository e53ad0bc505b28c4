// node compile.mjs PYODIDE compile.py GIVEN.zip GOT.zip: compile Python by the Python that will run it.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, script, given, got] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide();
python.FS.writeFile("/given.zip", readFileSync(given));
python.runPython(`${readFileSync(script, "utf8")}\npack("/given.zip", "/got.zip")`);
writeFileSync(got, python.FS.readFile("/got.zip"));

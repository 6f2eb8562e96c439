// node wasip1.mjs VERIFIER.wasm FOLDER ARGUMENTS...: runs a program for wasip1 that sees FOLDER as /proofs.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, folder, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['verifier', ...args], preopens: { '/proofs': folder }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);

// The viewer's page: its code, its worker's code, its styles and its wasm, as files that any server can give out.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { bundle } from './bundle.mjs';
import { source, wasm } from './paths.mjs';
import { wasmOf } from './wasm.mjs';

const from = path.join(source, 'viewer');

/** Browsers that have `light-dark()`, which is later than all that the code needs. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

const ON_PAGES = {
  platform: 'browser',
  target: BROWSERS,
  minify: true,
  inject: [],
  external: [],
  legalComments: 'none',
};

/** Elements as calls of one short name: less than what the runtime for JSX takes. */
const WITH_ELEMENTS = {
  ...ON_PAGES,
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  inject: [path.join(from, 'part/elements.ts')],
  format: 'esm',
};

/**
 * The page in these folders: what a server gives out, and in the second one also what an exported page is made of.
 *
 * @param {string} served
 * @param {string} packed
 */
export async function viewerPage(served, packed) {
  fs.mkdirSync(served, { recursive: true });
  // `app.js`, the views that it loads later as `pages.js`, and as `chunk.js` what both have.
  await bundle({
    ...WITH_ELEMENTS,
    entryPoints: { app: path.join(from, 'served.ts') },
    outdir: served,
    splitting: true,
    chunkNames: '[name]',
  });
  await bundle({
    ...ON_PAGES,
    entryPoints: [path.join(from, 'work/worker.ts')],
    outfile: path.join(served, 'worker.js'),
    // A worker that an exported page starts from its own text can import nothing.
    format: 'iife',
    alias: { 'milepost:viewer': path.join(wasm, 'viewer/milepost.js') },
  });
  await bundle({
    ...ON_PAGES,
    entryPoints: [path.join(from, 'style/index.css')],
    outfile: path.join(served, 'style.css'),
  });
  for (const name of ['index.html', '_headers']) fs.copyFileSync(path.join(from, name), path.join(served, name));
  fs.copyFileSync(wasmOf('viewer'), path.join(served, 'viewer.wasm'));

  fs.cpSync(served, packed, { recursive: true });
  // All of the code in one file, since an exported page has no others, and what unpacks that there.
  await bundle({
    ...WITH_ELEMENTS,
    entryPoints: [path.join(from, 'app.tsx')],
    outfile: path.join(packed, 'whole.js'),
  });
  await bundle({
    ...ON_PAGES,
    entryPoints: [path.join(from, 'unpack.ts')],
    outfile: path.join(packed, 'unpack.js'),
    format: 'esm',
  });
}

// The package of JSR, for Deno: modules of ECMAScript alone, each entry beside its types. It has what works on files and on
// text; what runs beside Deno or needs a package of npm is in the npm package alone.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { ON_DENO, bundle, external, parts } from './bundle.mjs';
import { LIBRARY_HERE, wasmOnJsr, writeInlined } from './wasm.mjs';
import { jsr, source } from './paths.mjs';
import { writeTypesOfModule } from './types.mjs';

const SCOPE = '@owner-invalid';

/** The module that has all names, and the one that it loads for hosts that answer later. */
const LIBRARY = 'library.mjs';
const DEFERRED = 'deferred.mjs';

/** Node's adapter, for what Deno's leaves to it. */
const NODE_HOST = 'node-host.mjs';

/**
 * Bundles the package.
 *
 * @param {Record<string, string[]>} entries the names that each entry has
 */
export async function jsrPackage(entries) {
  await bundle({
    entryPoints: [path.join(source, 'src/host/node-host.js')],
    outfile: path.join(jsr, NODE_HOST),
    format: 'esm',
    minify: true,
  });
  await bundle({
    entryPoints: [path.join(source, 'src/entry/bundled.js')],
    outfile: path.join(jsr, LIBRARY),
    ...ON_DENO,
    plugins: [
      parts('library', 'deno', {
        wasm: wasmOnJsr('library', NODE_HOST),
        library: LIBRARY_HERE,
        deferred: `export const load = () => import('./${DEFERRED}');`,
      }),
    ],
  });
  await bundle({
    entryPoints: [path.join(source, 'src/client/deferred.js')],
    outfile: path.join(jsr, DEFERRED),
    ...ON_DENO,
    plugins: [external('error.js', `./${LIBRARY}`), parts('deferred', 'deno', { wasm: wasmOnJsr('deferred', NODE_HOST) })],
  });
  await writeInlined(['library', 'deferred'], jsr);
  for (const [entry, names] of Object.entries(entries)) {
    const types = writeTypesOfModule(entry, path.join(jsr, entry));
    const text = `/* @ts-self-types="./${types}" */\nexport { ${names.join(', ')} } from './${LIBRARY}';\n`;
    fs.writeFileSync(path.join(jsr, `${entry}.mjs`), text);
  }
  writeManifest(Object.keys(entries));
}

/** @param {string[]} entries */
function writeManifest(entries) {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8'));
  const exports = Object.fromEntries(entries.map((it) => [it === 'index' ? '.' : `./${it}`, `./${it}.mjs`]));
  fs.writeFileSync(path.join(jsr, 'jsr.json'), `${JSON.stringify({ name: `${SCOPE}/milepost`, version, license, exports }, null, 2)}\n`);
}

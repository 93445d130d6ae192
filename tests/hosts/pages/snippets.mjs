// The programs that the README and the guide show. Each is run as it stands, in a repository of its own.

import '../environment.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** The clone that has the pages. */
const CLONE = process.env.MILEPOST_CLONE;

/** A snippet that does not end by itself is ended after this time. */
const MOST_MILLISECONDS = 120_000;

/** The pages that show programs, by their paths in the clone. */
function pages() {
  const guide = fs.readdirSync(path.join(CLONE, 'docs/guide')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guide.sort().map((name) => `docs/guide/${name}`)];
}

/**
 * The snippets of all pages, with the lines that their comments beside `console.log` say they print.
 *
 * @returns {{name: string, code: string, prints: string[]}[]}
 */
export function snippets() {
  return pages().flatMap((page) => {
    const text = fs.readFileSync(path.join(CLONE, page), 'utf8');
    return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code], at) => ({
      name: `snippet ${at + 1} of ${page}`,
      code,
      prints: [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line),
    }));
  });
}

/** True if a snippet imports an entry of the package, such as `postgres`. */
export function imports({ code }, entry) {
  return code.includes(`'milepost/${entry}'`);
}

/** Runs a snippet where it finds the installed package. Returns the lines that it printed. */
export function run({ code }, environment = {}) {
  const folder = fs.mkdtempSync(path.join(import.meta.dirname, 'snippet-'));
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['commit', '--quiet', '--allow-empty', '--message', 'first'], { cwd: folder });
    const file = path.join(folder, /\brequire\(/.test(code) ? 'snippet.cjs' : 'snippet.mjs');
    fs.writeFileSync(file, code);
    const ended = spawnSync(process.execPath, [file], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      timeout: MOST_MILLISECONDS,
    });
    if (ended.status !== 0) throw new Error(`it ended with ${ended.status ?? ended.signal}: ${ended.stderr}`);
    return ended.stdout.split('\n').slice(0, -1);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

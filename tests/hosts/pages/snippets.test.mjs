// The snippets that need nothing but the package. `tests/hosts/postgres` and `tests/hosts/langgraph` run the others.

import assert from 'node:assert/strict';
import test from 'node:test';
import { imports, run, snippets } from './snippets.mjs';

const all = snippets();

test('the README and the guide show programs', () => {
  assert.ok(all.length >= 8, `${all.length} snippets were found`);
  assert.ok(all.every(({ prints }) => prints.length > 0), 'each says what it prints');
});

for (const snippet of all) {
  if (imports(snippet, 'postgres') || imports(snippet, 'langgraph')) continue;
  test(`${snippet.name} prints what it says`, () => {
    assert.deepEqual(run(snippet), snippet.prints);
  });
}

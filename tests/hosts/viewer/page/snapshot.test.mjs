// One snapshot: what it is of, in sentences, and how its files differed from the commit.

import assert from 'node:assert/strict';
import test from 'node:test';
import { show } from '../views.mjs';
import { listed } from './fixture.mjs';

const SNAPSHOT = `#/revision/${encodeURIComponent('s/chk-20260305-111700')}`;

/** The columns of the first difference, and the files that have one. */
const differences = () => ({
  columns: document.querySelector('.story table.diff')?.querySelectorAll('thead th').length ?? 0,
  files: [...document.querySelectorAll('.story summary h3')].map(({ innerText }) => innerText),
});

for (const [width, columns, layout] of [
  [1280, 6, 'beside each other'],
  [390, 4, 'one below the other'],
]) {
  test(`at ${width} px a snapshot is sentences, and the sides of its differences are ${layout}`, async (t) => {
    const { visitor } = await listed(t, { viewport: { width, height: 800 } });
    await show(visitor, { address: SNAPSHOT });
    await visitor.sees(/Snapshot chk-20260305-111700, made .* because a user asked for it\./);
    const shown = await visitor.ask(differences);
    assert.equal(shown.columns, columns);
    assert.ok(shown.files.includes('src/page.js'), shown.files.join());
    assert.doesNotMatch(await visitor.text('.story > .prose'), /sha256/);
    await visitor.assertQuiet();
  });
}

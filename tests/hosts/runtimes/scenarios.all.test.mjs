// The scenarios of `tests/scenarios/hand` over real files, on Deno and Bun as Node has them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { BUN, DENO, emptyFolder, run, script } from './fixture.mjs';

for (const runtime of [DENO, BUN]) {
  test(`a scenario over real files is answered as expected on ${runtime.name}`, async (t) => {
    // They ask git for repositories, and look at files outside of the project.
    const options = { cwd: emptyFolder(t), permissions: ['--allow-all'] };
    const { code, stdout, stderr } = await run(runtime, [script('scenarios.mjs')], options);
    assert.equal(code, 0, stderr);
    const { played, failed } = JSON.parse(stdout);
    assert.deepEqual(failed, []);
    assert.ok(played > 100, `${played} scenarios`);
  });
}

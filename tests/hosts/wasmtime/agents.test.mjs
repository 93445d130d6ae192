// The hook of coding agents as a component.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { AGENTS, comparable, asRecorded, recorded } from '../../agents/recorded.mjs';
import { emptyFolder } from '../node/fixture.mjs';
import { onWasmtime } from './fixture.mjs';

for (const agent of AGENTS) {
  test(`payloads of ${agent} are answered as on Node`, (t) => {
    const root = emptyFolder(t);
    asRecorded(root);
    for (const { number, event, words, payload, answer } of recorded(agent, root)) {
      const { code, out, error } = onWasmtime(root, ['hook', agent, ...words], { input: payload });
      const expected = answer === '' ? '' : `${answer}\n`;
      const answered = { code, out: comparable(out), error };
      assert.deepEqual(answered, { code: 0, out: comparable(expected), error: '' }, `${number} ${event}`);
    }
  });
}

test('a malformed payload is silent', (t) => {
  const root = emptyFolder(t);
  for (const input of ['', '{', '[1]', '{}', '{"session_id":"a"}']) {
    assert.deepEqual(onWasmtime(root, ['hook', 'codex'], { input }), { code: 0, out: '', error: '' }, input);
  }
  const { code, error } = onWasmtime(root, ['hook', 'unknown'], { input: '{}' });
  assert.equal(code, 0);
  assert.match(error, /There is no agent "unknown": expected one of claude-code, /);
});

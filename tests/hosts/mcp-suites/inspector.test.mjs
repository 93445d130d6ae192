// The command line of MCP Inspector, in both eras of the protocol.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bin, emptyFolder } from '../node/fixture.mjs';
import { node, project, run } from './fixture.mjs';

const SCRIPT = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
/** Its exit code where a tool refused. */
const REFUSED = 5;

for (const era of ['legacy', 'modern']) {
  const inspect = (t, root, ...words) => {
    const target = ['--cli', node, bin, 'mcp', '--root', root];
    // It keeps a file in the home folder.
    const env = { ...process.env, HOME: emptyFolder(t) };
    return run(SCRIPT, [...target, ...words, '--protocol-era', era, '--format', 'json'], { env });
  };
  const answer = async (...given) => {
    const { code, out, errors } = await inspect(...given);
    assert.equal(code, 0, errors + out);
    return JSON.parse(out).result;
  };

  test(`Inspector warns of no schema of a tool (${era})`, async (t) => {
    const { code, out, errors } = await inspect(t, project(t), '--method', 'tools/list', '--strict');
    assert.deepEqual([code, errors], [0, '']);
    assert.equal(JSON.parse(out).result.tools.length, 17);
  });

  test(`Inspector calls a tool, and sees what it refuses (${era})`, async (t) => {
    const root = project(t);
    const call = (name, given) => [
      ...['--method', 'tools/call', '--tool-name', `milepost_${name}`],
      ...['--tool-args-json', JSON.stringify(given)],
    ];
    const { structuredContent } = await answer(t, root, ...call('resume', {}));
    assert.equal(structuredContent.phase, 'parser');
    const phase = { command: 'design', phase: 'review', status: 'in_progress' };
    assert.equal((await answer(t, root, ...call('phase', phase))).structuredContent.revision, 2);
    const refused = await inspect(t, root, ...call('phase', { ...phase, status: 'done' }));
    assert.equal(refused.code, REFUSED, refused.errors);
    assert.match(refused.out, /usage/);
  });

  test(`Inspector lists and reads a run (${era})`, async (t) => {
    const root = project(t);
    const { resources } = await answer(t, root, '--method', 'resources/list');
    assert.deepEqual(resources.map(({ name }) => name), ['design', 'implement/dark-mode']);
    const { contents } = await answer(t, root, '--method', 'resources/read', '--uri', resources[1].uri);
    assert.equal(JSON.parse(contents[0].text).feature, 'dark-mode');
    const { resourceTemplates } = await answer(t, root, '--method', 'resources/templates/list');
    assert.equal(resourceTemplates.length, 2);
  });
}

// The snippets of the pages that compile a graph.

import { expect, it } from 'vitest';

import { imports, run, snippets } from '../pages/snippets.mjs';

for (const snippet of snippets().filter((one) => imports(one, 'langgraph'))) {
  it(`${snippet.name} prints what it says`, () => expect(run(snippet)).toEqual(snippet.prints));
}

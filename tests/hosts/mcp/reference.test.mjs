// The tools in `docs/reference/mcp.md`, printed from what the server says of them; `MILEPOST_BLESS=1` writes them again.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { emptyFolder } from '../node/fixture.mjs';
import { connected } from './client.mjs';

/** The clone that has the page. */
const CLONE = process.env.MILEPOST_CLONE;
const PART = /(?<=<!-- printed: tools -->\n).*(?=<!-- end of tools -->)/s;

const cell = (text) => text.replaceAll('|', '\\|');

/** The type of an argument in words. */
function typeOf({ type, items, enum: values }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  return type === 'array' ? `list of ${typeOf(items)}` : type;
}

/** The sentence about what a call does to what is stored, where it is no change that the history keeps. */
function effect({ readOnlyHint, destructiveHint }) {
  if (readOnlyHint) return ' It only reads.';
  return destructiveHint ? ' It may replace files for good.' : '';
}

/** A section of each tool, with a table of its arguments. */
function printed(tools) {
  const sections = tools.map(({ name, description, inputSchema, annotations }) => {
    const { properties, required = [] } = inputSchema;
    const rows = Object.entries(properties).map(([argument, schema]) => {
      const type = typeOf(schema) + (required.includes(argument) ? ', required' : '');
      return `| \`${argument}\` | ${cell(type)} | ${cell(schema.description)} |\n`;
    });
    const table = rows.length > 0 ? `\n| argument | type | meaning |\n|---|---|---|\n${rows.join('')}` : '';
    return `### ${name}\n\n${description}${effect(annotations)}\n${table}`;
  });
  return sections.join('\n');
}

test('the page lists the tools and arguments that the server has', { skip: !CLONE && 'there is no clone' }, async (t) => {
  const client = await connected(t, emptyFolder(t));
  const { tools } = await client.ask('tools/list');
  const page = path.join(CLONE, 'docs/reference/mcp.md');
  const text = fs.readFileSync(page, 'utf8');
  const now = text.replace(PART, () => `\n${printed(tools)}\n`);
  if (process.env.MILEPOST_BLESS) fs.writeFileSync(page, now);
  else assert.equal(text, now);
});

// Writes and reads the same documents as most programs do: `naive.mjs WAY ROOT`.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { converse } from '../conversation.mjs';

const [way, root] = process.argv.slice(2);
const { change } = await import(`./${way}.mjs`);

await converse({ phase: add, save: add, read });

function file(feature) {
  return path.join(root, '.claude/state', `implement-${feature}.json`);
}

function add(feature, operation) {
  let revision;
  change(file(feature), (text) => {
    const document = parse(text);
    revision = ++document.revision;
    document.state.completed_phases.push(operation);
    document.phases[operation] = { status: 'complete', updated_at: new Date().toISOString() };
    return `${JSON.stringify(document, null, 2)}\n`;
  });
  return revision;
}

/** Parses a document; one that is missing or cannot be read counts as new. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { state: { completed_phases: [] }, phases: {}, revision: 0 };
  }
}

function read(feature) {
  let text;
  try {
    text = fs.readFileSync(file(feature), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') error.code = 'not_found';
    throw error;
  }
  return JSON.parse(text).revision;
}

// Runs the scenarios of a file on the core component, made JavaScript by jco.
//
//   node jco.mjs SCENARIOS OUTCOMES

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { MemoryFiles } from 'milepost/memory';
import { replyOf, transpiled } from '../../hosts/jco/fixture.mjs';
import { outcome } from '../js/memory.mjs';

const { core: component } = await transpiled();

const core = {
  MemoryFiles,
  countTokens: (text) => component.tokens.count(text),
  truncateContextSummary: (text, limit) => component.tokens.truncate(text, BigInt(limit)),
  validateContextSummary(text, limit) {
    const { valid, tokenCount, error } = component.tokens.validate(text, BigInt(limit));
    return { valid, tokenCount: Number(tokenCount), limit, error };
  },
  runOperation(request, perform) {
    const operation = new component.operations.Operation(request);
    let turn = operation.step();
    while (turn.tag === 'effect') turn = operation.resume(toOutcome(perform(fromEffect(turn.val))));
    return replyOf(turn);
  },
};

/** The name of the value of an effect, where it is no record. */
const ALONE = {
  random: 'length',
  wait: 'ms',
  inspect: 'paths',
  remove: 'path',
  'remove-folder': 'path',
  restrict: 'path',
  'sync-folder': 'path',
  'read-record': 'record',
};

function fromEffect({ tag, val }) {
  const effect = tag.replace(/-[a-z]/g, (part) => part[1].toUpperCase());
  return tag in ALONE ? { effect, [ALONE[tag]]: val } : { effect, ...val };
}

function toOutcome({ outcome: tag, ...fields }) {
  switch (tag) {
    case 'bytes':
      return { tag, val: fields.bytes };
    case 'entries':
      return { tag, val: fields.entries.map((entry) => ({ ...entry, size: BigInt(entry.size) })) };
    case 'failed': {
      const fault = fields.fault.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { tag, val: { tag: fault, val: fields.detail } };
    }
    default:
      return { tag, val: fields };
  }
}

const [scenarios, outcomes] = process.argv.slice(2);
const output = openSync(outcomes, 'w');
for (const line of readFileSync(scenarios, 'utf8').trimEnd().split('\n')) {
  writeSync(output, `${outcome(core, line)}\n`);
}
closeSync(output);

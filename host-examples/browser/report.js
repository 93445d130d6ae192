// The report about a checkpoint file. No page is needed for it.

import { MAX_SUMMARY_TOKENS, countTokens, openMemoryStore, validateCheckpoint } from './milepost/portable.mjs';

/**
 * @param {Uint8Array} bytes the file
 * @returns {{
 *   valid: boolean,
 *   problems: {at: string, code: string, message: string}[],
 *   warnings: string[],
 *   resumePoint: {phase: string | null, summary: string | null} | null,
 *   summaries: {at: string, tokens: number, limit: number}[],
 * }}
 */
export function report(bytes) {
  const nothing = { warnings: [], resumePoint: null, summaries: [] };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { valid, problems } = validateCheckpoint(text);
    return { ...nothing, valid, problems, ...loaded(text) };
  } catch (error) {
    const problem = { at: '', code: error.code ?? 'encoding', message: error.message };
    return { ...nothing, valid: false, problems: [problem] };
  }
}

/** Returns the facts that an agent would carry on from. */
function loaded(text) {
  const { command, feature } = nameOf(text);
  const store = openMemoryStore();
  const file = `${command}-${feature ?? 'checkpoint'}.json`;
  store.files.write(`/.claude/state/${file}`, text);
  try {
    // Malformed parts are left out.
    const checkpoint = store.load(command, feature);
    const warnings = store.warnings.map(({ message }) => message);
    const resumePoint = store.resumePoint(command, feature);
    return { warnings, resumePoint, summaries: summariesOf(checkpoint) };
  } catch ({ message }) {
    return { warnings: [message] };
  }
}

/** The owner of the checkpoint, as the text says. */
function nameOf(text) {
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    // The store says what is wrong with it.
  }
  const { command, feature } = document ?? {};
  return {
    command: typeof command === 'string' ? command : 'implement',
    feature: typeof feature === 'string' ? feature : null,
  };
}

/** The summaries of a loaded checkpoint, each with its place and tokens. */
function summariesOf({ state, phases }) {
  const places = [
    ['/state', state],
    ...Object.entries(phases ?? {}).map(([name, phase]) => [`/phases/${pointer(name)}`, phase]),
  ];
  return places
    .filter(([, holder]) => typeof holder?.context_summary === 'string')
    .map(([at, { context_summary }]) => ({
      at: `${at}/context_summary`,
      tokens: countTokens(context_summary),
      limit: MAX_SUMMARY_TOKENS,
    }));
}

/** RFC 6901. */
function pointer(name) {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

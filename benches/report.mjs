// From numbers to rows, and from rows to the table that is printed.

import os from 'node:os';
import { execFileSync } from 'node:child_process';

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} ours
 * @property {string} peer
 * @property {string} ratio
 * @property {string} target
 * @property {'reached' | 'missed' | '-'} verdict
 * @property {object} numbers the same, unrounded, for the JSON report
 */

// Every limit is what has to be reached; an aim beyond it is printed beside it.

/** A row whose target is a speed-up over the peer: peer / ours. @returns {Row} */
export function fasterThan({ what, peerName, ours, peer, atLeast, aim }) {
  const ratio = peer.median / ours.median;
  return {
    what,
    ours: milliseconds(ours),
    peer: `${peerName}: ${milliseconds(peer)}`,
    ratio: `${rounded(ratio)} times faster`,
    target: target('at least', atLeast, 'times faster', aim),
    verdict: classify(atLeast, ratio >= atLeast),
    numbers: { ours, peer, ratio, atLeast, aim },
  };
}

/** A row whose target is a share of the peer's time: ours / peer. @returns {Row} */
export function timesItsTime({ what, peerName, ours, peer, bare, atMost, aim }) {
  const ratio = ours.median / peer.median;
  const show = bare === undefined ? milliseconds : (sample) => added(sample, bare);
  return {
    what,
    ours: show(ours),
    peer: `${peerName}: ${show(peer)}`,
    ratio: `${rounded(ratio)} times its time`,
    target: target('at most', atMost, 'times', aim),
    verdict: classify(atMost, ratio <= atMost),
    numbers: { ours, peer, bare, ratio, atMost, aim },
  };
}

/** A row whose target is what is added to the peer's time: ours - peer. @returns {Row} */
export function addedTo({ what, peerName, ours, peer, atMost, aim }) {
  const ms = ours.median - peer.median;
  return {
    what,
    ours: added(ours, peer),
    peer: `${peerName}: ${milliseconds(peer)}`,
    ratio: `${rounded(ours.median / peer.median)} times its time`,
    target: target('at most', atMost, 'ms added', aim),
    verdict: classify(atMost, ms <= atMost),
    numbers: { ours, peer, ms, atMost, aim },
  };
}

/** A row with a limit in milliseconds; a peer is for comparison alone. @returns {Row} */
export function withinTime({ what, peerName, ours, peer, atMost, aim }) {
  return {
    what,
    ours: milliseconds(ours),
    peer: peer ? `${peerName}: ${milliseconds(peer)}` : '-',
    ratio: '-',
    target: target('at most', atMost, 'ms', aim),
    verdict: classify(atMost, ours.median <= atMost),
    numbers: { ours, atMost, aim },
  };
}

/** A row with a limit in bytes and no peer; `raw` are those before compression. @returns {Row} */
export function withinSize({ what, bytes, raw, atMost, aim }) {
  const [most, better] = [atMost, aim].map((limit) => limit && limit / 1024);
  return {
    what,
    ours: raw === undefined ? kilobytes(bytes) : `${kilobytes(bytes)} (${kilobytes(raw)} unpacked)`,
    peer: '-',
    ratio: '-',
    target: target('at most', most, 'KB', better),
    verdict: classify(atMost, bytes <= atMost),
    numbers: { bytes, raw, atMost, aim },
  };
}

/** A row that cannot be measured here, and why. @returns {Row} */
export function skipped(what, why) {
  const nothing = { peer: '-', ratio: '-', target: '-', verdict: '-' };
  return { what, ours: `skipped: ${why}`, ...nothing, numbers: { why } };
}

/** @returns {string} what has to be reached, and what is aimed at */
export function target(words, limit, unit, aim) {
  if (limit === undefined) return '-';
  return `${words} ${limit} ${unit}${aim === undefined ? '' : `; aim ${aim}`}`;
}

/** @returns {'reached' | 'missed' | '-'} */
export function classify(target, holds) {
  if (target === undefined) return '-';
  return holds ? 'reached' : 'missed';
}

/** @param {number} value @returns {string} three significant digits, never an exponent */
export function rounded(value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toFixed(digits);
}

export function kilobytes(bytes) {
  return `${rounded(bytes / 1024)} KB`;
}

function milliseconds({ median, low, high, runs }) {
  return `${rounded(median)} ms (${rounded(low)} to ${rounded(high)}, ${runs} runs)`;
}

function added(sample, bare) {
  // The least of both is what a quiet moment of a busy machine shows.
  const [usual, least] = [sample.median - bare.median, sample.least - bare.least].map(rounded);
  return `+${usual} ms (least +${least}), in all ${milliseconds(sample)}`;
}

/** @returns {Record<string, string>} what a reader needs to place the numbers */
export function circumstances(project, priority) {
  const cpus = os.cpus();
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  return {
    package: `milepost ${project.version}`,
    machine: `${cpus.length} × ${cpus[0]?.model.trim() || os.arch()}, ${memory}`,
    system: `${os.type()} ${os.release()}, ${fileSystem(project.folder)}`,
    load: `${os.loadavg()[0].toFixed(2)}, priority of the bench: ${priority}`,
    node: process.version,
    date: new Date().toISOString(),
  };
}

function fileSystem(folder) {
  try {
    const lines = execFileSync('df', ['-PT', folder], { encoding: 'utf8' }).trim().split('\n');
    return lines[1].split(/\s+/)[1];
  } catch {
    return 'unknown file system';
  }
}

/** @param {Record<string, string>} header @param {Row[]} rows @returns {string} Markdown */
export function render(header, rows) {
  const columns = ['what', 'ours', 'peer', 'ratio', 'target', 'verdict'];
  const widths = columns.map((name) =>
    Math.max(name.length, ...rows.map((row) => row[name].length)),
  );
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  const facts = Object.entries(header).map(([name, value]) => `${name}: ${value}`);
  return [
    ...facts,
    'times: median (interquartile range, runs); contestants of a row take turns in one run',
    '',
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(columns.map((name) => row[name]))),
    '',
  ].join('\n');
}

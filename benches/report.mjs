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

/** A row whose target is a speed-up over the peer: peer / ours. @returns {Row} */
export function fasterThan({ what, peerName, ours, peer, atLeast }) {
  const ratio = peer.median / ours.median;
  return {
    what,
    ours: milliseconds(ours),
    peer: `${peerName}: ${milliseconds(peer)}`,
    ratio: `${rounded(ratio)} times faster`,
    target: atLeast === undefined ? '-' : `at least ${atLeast} times faster`,
    verdict: judge(atLeast, ratio >= atLeast),
    numbers: { ours, peer, ratio, atLeast },
  };
}

/** A row whose target is a share of the peer's time: ours / peer. @returns {Row} */
export function timesItsTime({ what, peerName, ours, peer, atMost }) {
  const ratio = ours.median / peer.median;
  return {
    what,
    ours: milliseconds(ours),
    peer: `${peerName}: ${milliseconds(peer)}`,
    ratio: `${rounded(ratio)} times its time`,
    target: atMost === undefined ? '-' : `at most ${atMost} times`,
    verdict: judge(atMost, ratio <= atMost),
    numbers: { ours, peer, ratio, atMost },
  };
}

/** A row with a limit in milliseconds and no peer. @returns {Row} */
export function withinTime({ what, ours, atMost }) {
  return {
    what,
    ours: milliseconds(ours),
    peer: '-',
    ratio: '-',
    target: `at most ${atMost} ms`,
    verdict: judge(atMost, ours.median <= atMost),
    numbers: { ours, atMost },
  };
}

/** A row with a limit in bytes and no peer. @returns {Row} */
export function withinSize({ what, bytes, raw, atMost }) {
  return {
    what,
    ours: `${kilobytes(bytes)} (${kilobytes(raw)} unpacked)`,
    peer: '-',
    ratio: '-',
    target: `at most ${kilobytes(atMost)}`,
    verdict: judge(atMost, bytes <= atMost),
    numbers: { bytes, raw, atMost },
  };
}

/** @returns {'reached' | 'missed' | '-'} */
export function judge(target, holds) {
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

/** @returns {Record<string, string>} what a reader needs to place the numbers */
export function circumstances(project) {
  const cpus = os.cpus();
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  return {
    package: `milepost ${project.version}`,
    machine: `${cpus.length} × ${cpus[0]?.model.trim() || os.arch()}, ${memory}`,
    system: `${os.type()} ${os.release()}, ${fileSystem(project.folder)}`,
    load: os.loadavg()[0].toFixed(2),
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

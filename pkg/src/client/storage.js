// The storage of task checkpoints and threads: in a folder, in a database, or in memory.

import * as host from 'milepost:host';
import { unexpected } from './reply.js';

/** @typedef {import('./postgres/host.js').PostgresHost} PostgresHost */

/** The options that say where. */
export const PLACES = ['storagePath', 'durability', 'postgres'];

/**
 * Opens the one that is described. Options are checked, and nothing is read or made.
 *
 * @template T
 * @param {Record<string, unknown>} described by options of {@link PLACES}
 * @param {string} prefix of their names in messages
 * @param {{
 *   memory: () => T,
 *   files: (place: {root?: string, dir: string, durability: unknown}, named: import('./reply.js').Named) => T,
 *   postgres: (host: PostgresHost) => T,
 * }} open
 * @returns {T}
 * @throws {MilepostError} `usage`
 */
export function openStorage({ storagePath, durability, postgres }, prefix, open) {
  if (postgres !== undefined) {
    if (storagePath !== undefined || durability !== undefined) {
      const expected = 'the only place, without `storagePath` and `durability`';
      throw unexpected(`${prefix}postgres`, expected, postgres);
    }
    if (!isPostgres(postgres)) {
      throw unexpected(`${prefix}postgres`, 'what `postgresHost()` of milepost/postgres gives', postgres);
    }
    return open.postgres(postgres);
  }
  if (storagePath === undefined) {
    if (durability === undefined) return open.memory();
    throw unexpected(`${prefix}durability`, `left out where there is no \`${prefix}storagePath\``, durability);
  }
  if (typeof storagePath !== 'string' || storagePath === '') {
    throw unexpected(`${prefix}storagePath`, 'the path of a folder', storagePath);
  }
  const named = { option: `${prefix}storagePath`, dir: storagePath };
  return open.files({ ...placeOf(storagePath), durability }, named);
}

/**
 * By what it has: one that was imported and one that was required are of two classes on some hosts.
 *
 * @param {any} given
 * @returns {given is PostgresHost}
 */
function isPostgres(given) {
  return typeof given?.tasks === 'function' && typeof given?.threads === 'function';
}

/** Names that lead out of the working folder. */
const OUTWARDS = /^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i;

/**
 * A folder below the working one is that of a project, which messages name from there; any other stands for itself.
 *
 * @param {string} storagePath
 */
function placeOf(storagePath) {
  if (OUTWARDS.test(storagePath)) return { dir: host.absolute(storagePath) };
  return { root: host.place().working, dir: storagePath };
}

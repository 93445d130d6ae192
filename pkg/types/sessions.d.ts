/**
 * The earlier name of `milepost/snapshots`, with the earlier names of what it has.
 *
 * @example
 * ```ts
 * import { openSessions } from 'milepost/sessions';
 *
 * // The function that `milepost/snapshots` has as `openSnapshots`.
 * const { id } = openSessions().create({ reason: 'handoff', message: 'The tests are next.' });
 * ```
 */
export { openSnapshots as openSessions } from './snapshots.js';
export type {
  CreateSnapshotOptions as CreateSessionOptions,
  SnapshotReason as SessionReason,
  Snapshots as Sessions,
  SnapshotsOptions as SessionsOptions,
} from './snapshots.js';
export * from './session-operations.js';

// The host adapter on a database: records are there, and everything else is of the machine that the
// program runs on, which knows its repository and its clock.

import * as local from 'milepost:host';
import * as check from '../arguments.js';
import { AsyncWorkspace } from '../async-workspace.js';
import { ofNumbers } from '../../host/numbers.js';
import { unexpected } from '../reply.js';
import { StoredTasks } from '../tasks/stored.js';
import { askAt } from '../thread-operations.js';
import { Database, reasonOf } from '../../host/postgres/database.js';
import { Notices } from '../../host/postgres/notices.js';
import { Records } from '../../host/postgres/records.js';
import { isName } from '../../host/postgres/schema.js';

/** @typedef {import('../../../types/operation.js').Effect} Effect */
/** @typedef {import('../../../types/operation.js').Outcome} Outcome */
/** @typedef {import('../../../types/postgres.js').PostgresHost} PostgresHostType */

/** The options of a host. */
export const HOST_OPTIONS = ['project', 'connection', 'pool', 'schema'];

const SCHEMA = 'milepost';

/** @implements {PostgresHostType} */
export class PostgresHost {
  #database;
  #records;
  #notices;
  #folder;
  #onFiles = ofNumbers(local.perform);

  /** Files answer immediately, without this. */
  files = /** @type {const} */ ('here');

  /**
   * @param {Record<string, any>} options of {@link HOST_OPTIONS}, and whether a schema that is not there is made
   * @param {() => any} [load] loads `pg`, where it may be somewhere else than beside this package
   */
  constructor({ project, connection, pool, schema = SCHEMA, makes = true }, load) {
    const name = check.text('project', project);
    if (name === '' || name.includes('\0')) {
      throw unexpected('project', 'the name that the checkpoints of this project are stored under', project);
    }
    if (typeof schema !== 'string' || !isName(schema)) {
      const expected = 'the name of a schema, of 1 to 63 bytes, that does not begin with `pg_`';
      throw unexpected('schema', expected, schema);
    }
    if (pool !== undefined && connection !== undefined) {
      throw unexpected('connection', 'left out where there is a `pool`', connection);
    }
    if (pool !== undefined && (typeof pool?.query !== 'function' || typeof pool?.connect !== 'function')) {
      throw unexpected('pool', 'a pool of `pg`, as `new Pool()`', pool);
    }
    if (connection !== undefined && typeof connection !== 'string' && (typeof connection !== 'object' || connection === null)) {
      throw unexpected('connection', 'a connection string, or what `pg` takes in its place', connection);
    }
    this.#folder = `/${folderOf(name)}`;
    this.#database = new Database({ connection, pool, schema, makes, load });
    this.#notices = new Notices(this.#database, schema);
    this.#records = new Records(this.#database, schema, (record) => this.#notices.notify(record));
  }

  /** @type {PostgresHostType['perform']} */
  perform = async (effect) => {
    if (RECORDS.has(effect.effect)) {
      try {
        await this.ready();
      } catch (error) {
        return { outcome: 'failed', fault: 'other', detail: reasonOf(error) };
      }
    }
    return this.operation().perform(effect);
  };

  /**
   * Returns the performer of one operation's effects, once this is ready.
   *
   * @param {string} [name] of an operation that may assume what this process has last committed
   */
  operation(name = '') {
    const onRecords = this.#records.operation(ASSUMING.has(name));
    /** @type {(effect: Effect) => Outcome | Promise<Outcome>} */
    const perform = (effect) => {
      if (effect.effect !== 'wait') return onRecords.perform(effect) ?? this.#onFiles(effect);
      return new Promise((resolve) => setTimeout(resolve, effect.ms, { outcome: 'done' }));
    };
    return { perform, isUnfounded: () => onRecords.isUnfounded() };
  }

  /** @type {PostgresHostType['place']} */
  place = () => ({ ...local.place(), dir: this.#folder, storage: /** @type {const} */ ('records') });

  /** @type {PostgresHostType['ready']} */
  ready = () => this.#database.ready();

  /**
   * Calls where something of this project may have changed.
   *
   * @param {() => void} onChange
   * @returns {() => void} ends it
   */
  listen(onChange) {
    return this.#notices.listen((record) => {
      if (record === '' || record.startsWith(`${this.#folder}/`)) onChange();
    });
  }

  /**
   * Returns the storage of a manager of task checkpoints.
   *
   * @param {string} limits as members of JSON text
   * @param {(warning: import('../../../types/index.js').Warning) => void} onWarning
   */
  tasks(limits, onWarning) {
    return new StoredTasks(new AsyncWorkspace({ onWarning }, this), limits);
  }

  /**
   * Returns the storage of a saver for LangGraph.js.
   *
   * @param {(warning: import('../../../types/index.js').Warning) => void} [onWarning]
   */
  threads(onWarning) {
    return askAt(new AsyncWorkspace({ onWarning }, this));
  }

  /** @type {PostgresHostType['close']} */
  close = async () => {
    await this.#notices.close();
    await this.#database.close();
  };
}

/** Operations that swap the one record that they begin with. */
const ASSUMING = new Set(['update_phase', 'complete', 'save', 'save_task', 'put_thread', 'append_transcript']);

const RECORDS = new Set(['readRecord', 'swapRecord', 'listRecords']);

/**
 * The name of a project as one part of a key.
 *
 * @param {string} project
 */
function folderOf(project) {
  const encoded = encodeURIComponent(project.toWellFormed());
  // As parts of a path, these two would be somewhere else.
  return encoded === '.' || encoded === '..' ? encoded.replaceAll('.', '%2E') : encoded;
}

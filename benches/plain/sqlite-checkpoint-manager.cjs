'use strict';

// The manager on SQLite: a row for each checkpoint in a database in the state folder, with a
// write-ahead log and `synchronous=FULL`, so that what was committed survives the power. An update
// reads and writes in one immediate transaction.

const path = require('path');
const fs = require('fs');
const { createManager } = require('./checkpoint-manager.cjs');
const { headFromFiles } = require('./durable-checkpoint-manager.cjs');

/**
 * @param {new (file: string) => any} Database that of `better-sqlite3`, or `DatabaseSync` of
 *   `node:sqlite`: what is used of them is the same
 */
function createSqliteManager(Database) {
  /** @type {Map<string, any>} by folder */
  const opened = new Map();

  function open(folder) {
    const there = opened.get(folder);
    if (there) return there;
    const database = new Database(path.join(folder, 'checkpoints.db'));
    database.exec(`
      PRAGMA busy_timeout = 5000;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, document TEXT NOT NULL);
    `);
    const store = {
      database,
      select: database.prepare('SELECT document FROM checkpoints WHERE name = ?'),
      upsert: database.prepare('INSERT OR REPLACE INTO checkpoints (name, document) VALUES (?, ?)'),
    };
    opened.set(folder, store);
    return store;
  }

  function readText(file) {
    const folder = path.dirname(file);
    if (!fs.existsSync(path.join(folder, 'checkpoints.db'))) return null;
    return open(folder).select.get(path.basename(file))?.document ?? null;
  }

  function writeFile(file, text) {
    open(path.dirname(file)).upsert.run(path.basename(file), text);
  }

  function exclusively(file, change) {
    const { database } = open(path.dirname(file));
    database.exec('BEGIN IMMEDIATE');
    let isDone = false;
    try {
      isDone = change();
    } finally {
      database.exec(isDone ? 'COMMIT' : 'ROLLBACK');
    }
    return isDone;
  }

  return createManager({ currentHead: headFromFiles, readText, writeFile, exclusively });
}

module.exports = { createSqliteManager };

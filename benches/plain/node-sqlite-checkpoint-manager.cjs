'use strict';

const { createSqliteManager } = require('./sqlite-checkpoint-manager.cjs');

module.exports = createSqliteManager(require('node:sqlite').DatabaseSync);

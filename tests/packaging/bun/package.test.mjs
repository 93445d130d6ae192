import { test } from 'bun:test';

test('the package works as a module', () => import('./source/server.mjs'));

test('the package works as CommonJS', () => {
  require('./source/server.cjs');
});

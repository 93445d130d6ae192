// Surroundings of tests, the same on every machine: imported for its effect, by what the tests of
// a folder share. Programs that a test starts inherit it.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** True if this run has everything, and not only what decides a change. */
export const IS_FULL_RANGE = process.env.MILEPOST_TEST_RANGE === 'all';

/** Variables that change what git, a database, an agent, Node or a command line does. */
const CLEARED = [
  ...[/^GIT_/, /^PG[A-Z]/, /^(CLAUDE|CODEX|GEMINI|CURSOR|COPILOT|OPENCODE|QWEN)/, /^MILEPOST_(COMMAND|FEATURE)$/, /^XDG_/, /^LC_/, /^LANG/],
  ...[/^(NO_COLOR|FORCE_COLOR|CLICOLOR.*|COLORTERM|TERM|COLUMNS|LINES|CI)$/, /^NODE_(OPTIONS|EXTRA_CA_CERTS)$/, /^RUST_/],
];

for (const name of Object.keys(process.env)) {
  if (CLEARED.some((pattern) => pattern.test(name))) delete process.env[name];
}

Object.assign(process.env, {
  TZ: 'UTC',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: path.join(import.meta.dirname, 'gitconfig'),
});

// Programs name their folders by the real path.
const temporary = fs.realpathSync(os.tmpdir());
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary;

process.umask(0o022);

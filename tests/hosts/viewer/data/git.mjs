// Repositories whose commits have the same names in every run.

import { execFileSync } from 'node:child_process';

const ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

/** One call of git in this folder. */
export function git(folder, ...words) {
  const env = { ...process.env, ...ENVIRONMENT };
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_ROOT']) delete env[name];
  const date = new Date(Date.now()).toISOString();
  Object.assign(env, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
  return execFileSync('git', words, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with the files that are there in its first commit. */
export function repository(folder) {
  git(folder, 'init', '-q', '-b', 'main');
  commit(folder, 'first');
}

/** All files that are there, in one more commit. */
export function commit(folder, message) {
  git(folder, 'add', '--all');
  git(folder, 'commit', '-q', '--allow-empty', '--no-gpg-sign', '-m', message);
}

import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const LIMIT_MS = 300_000;

test(
  'a compiled program needs none of the files that it was made of',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
    try {
      const program = path.join(folder, 'program');
      const words = ['build', '--compile', `--outfile=${program}`, 'source/server.mjs'];
      const built = spawnSync(process.execPath, words, { encoding: 'utf8' });
      expect([built.status, built.error]).toEqual([0, undefined]);
      fs.renameSync('node_modules', 'moved');
      const run = spawnSync(program, [], { cwd: folder, encoding: 'utf8' });
      expect([run.status, run.stderr]).toEqual([0, '']);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  },
  LIMIT_MS,
);

// Runs a bundle from a folder of its own, where nothing of the project can be found.
//
//   node run-server.mjs FILE

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const bundle = path.resolve(process.argv[2]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
try {
  fs.cpSync(path.dirname(bundle), folder, { recursive: true });
  const copy = path.join(folder, path.basename(bundle));
  const run = spawnSync(process.execPath, [copy], { cwd: folder, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  fs.rmSync(folder, { recursive: true });
}

// The thread that asks the database: takes one effect after another, and hands out the outcomes.

import modules from 'node:module';
import path from 'node:path';
import threads from 'node:worker_threads';
import { PostgresHost } from '../client/postgres/host.js';
import { sentence } from '../base/messages.js';

const { variable, project, port, signal, listens, makes } = threads.workerData;

/** @param {unknown} message */
function answer(message) {
  port.postMessage(message);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/**
 * `pg` from beside this package, as where both are installed in a project or for all of them; else from the
 * working folder.
 */
function driver() {
  const beside = modules.createRequire(__filename);
  const here = modules.createRequire(path.join(process.cwd(), 'package.json'));
  const file = found(beside) ?? found(here);
  if (file === undefined) throw new Error('it is neither beside milepost nor in the working folder');
  return beside(file);
}

/** @param {NodeJS.Require} from */
function found(from) {
  try {
    return from.resolve('pg');
  } catch {
    return undefined;
  }
}

async function begin() {
  const connection = variable === null ? undefined : process.env[variable];
  const host = new PostgresHost({ project, connection, makes }, driver);
  await host.ready();
  port.on('message', async (/** @type {import('../../types/operation.js').Effect | null} */ effect) => {
    answer(effect === null ? await host.close() : await host.perform(effect));
    if (effect === null) port.close();
  });
  if (listens) host.listen(() => void Atomics.add(signal, 1, 1));
  const { dir, storage } = host.place();
  answer({ place: { dir, storage } });
}

begin().catch((error) => answer({ failed: { code: error.code ?? 'io', message: sentence(error) } }));

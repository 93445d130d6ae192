// The page that a server gives out: its worker is a file beside it.

import { run } from './app';
import { shape, takeToken } from './state/shape';
import { WORKER, type Started, workerOf } from './work/start';

async function started(): Promise<Started> {
  const message =
    shape === 'server'
      ? ({ do: 'start', shape, token: takeToken() } as const)
      : ({ do: 'start', shape: 'hosted' } as const);
  return { ...workerOf(WORKER), message };
}

run(started());

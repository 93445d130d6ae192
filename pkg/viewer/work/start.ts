// How the worker is started.

import type { ToWorker } from './messages';

/** The worker, which says nothing before it is told this. */
export interface Started {
  worker: Worker;
  message: ToWorker;
}

export const WORKER = 'worker.js';

/** @param address the file beside the page, or what an exported page has in it */
export function workerOf(address: string): Worker {
  return new Worker(trusted(address));
}

interface Policy {
  createScriptURL(address: string): string;
}

/** The one policy of the page: a worker is from the file beside the page, or from the page itself. */
function trusted(address: string): string {
  const policy: Policy = {
    createScriptURL(asked) {
      if (asked === WORKER || asked.startsWith('blob:')) return asked;
      throw new TypeError(`expected the address of the page's own worker, got ${asked}`);
    },
  };
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, policy: Policy): Policy } };
  return (trustedTypes?.createPolicy('milepost', policy) ?? policy).createScriptURL(address);
}

// The start of the worker.

import type { ToWorker } from './messages';

/** A worker that runs. */
interface Running {
  worker: Worker;
  /** The reason why it stopped, once it has: the receiver may come later than that. */
  stopped: Promise<string>;
}

/** The worker, which says nothing before this. */
export interface Started extends Running {
  message: ToWorker;
}

export const WORKER = 'worker.js';

/** @param address the file beside the page, or what an exported page has in it */
export function workerOf(address: string): Running {
  const worker = new Worker(trusted(address));
  const stopped = new Promise<string>((settle) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      settle(event.message || 'it could not be loaded');
    });
  });
  return { worker, stopped };
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

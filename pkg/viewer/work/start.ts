// How the worker is started: from the file beside the page, or from what an exported page has in it.

import type { PageShape, ToWorker } from './messages';
import { unpacked } from './packed';

const WORKER = 'worker.js';

/** @returns the worker, and what it has to be told first */
export async function startWorker(
  shape: PageShape,
  token: string | null,
): Promise<{ worker: Worker; message: ToWorker }> {
  switch (shape) {
    case 'hosted':
      return { worker: new Worker(trusted(WORKER)), message: { do: 'start', shape } };
    case 'server':
      return { worker: new Worker(trusted(WORKER)), message: { do: 'start', shape, token } };
    case 'export': {
      const packed = held('milepost-worker') ?? missing('milepost-worker');
      const code = await new Response(unpacked(packed)).blob();
      const worker = new Worker(trusted(URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))));
      const first = held('milepost-wasm');
      const whole = held('milepost-wasm-all');
      const wasm = first ?? whole ?? missing('milepost-wasm');
      const data = held('milepost-data') ?? missing('milepost-data');
      return { worker, message: { do: 'start', shape, isWhole: first === null, wasm, data } };
    }
  }
}

/** The text that an exported page holds in an element of this id, which is given away once. */
function held(id: string): string | null {
  const element = document.getElementById(id);
  element?.remove();
  return element?.textContent?.trim() || null;
}

function missing(id: string): never {
  throw new Error(`this page has no ${id}: it was not saved whole`);
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

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
      const first = held('milepost-wasm');
      const whole = held('milepost-wasm-all');
      const wasm = first ?? whole ?? missing('milepost-wasm');
      // At the same time: neither needs the other.
      const compiled = new Response(unpacked(wasm)).arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
      const code = await new Response(unpacked(packed)).blob();
      const worker = new Worker(trusted(URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))));
      return { worker, message: { do: 'start', shape, isWhole: first === null, module: await compiled } };
    }
  }
}

/** Gives the data of an exported page away, part by part: the browser may still read the page, which can be long. */
export function giveData(give: (part: string, isLast: boolean) => void): void {
  const look = (): void => {
    const isRead = document.readyState !== 'loading';
    for (const element of document.querySelectorAll('.milepost-data')) {
      // Where nothing follows it, the browser may be in the middle of it.
      if (!isRead && element.nextSibling === null) break;
      give(element.textContent ?? '', false);
      element.remove();
    }
    if (!isRead) return;
    observer.disconnect();
    document.removeEventListener('readystatechange', look);
    give('', true);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true });
  document.addEventListener('readystatechange', look);
  look();
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

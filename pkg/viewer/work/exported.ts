// The start of the worker where the page has it in it, with the wasm and the data: while the page's own code is
// unpacked, which waits for none of them.

import type { ToWorker } from './messages';
import { unpacked } from './packed';
import { type Started, workerOf } from './start';

/** Starts it, and hands it what the page holds. */
export async function startExported(): Promise<Started> {
  const packed = takeText('milepost-worker') ?? missing('milepost-worker');
  const wasm = takeText('milepost-wasm') ?? missing('milepost-wasm');
  // At the same time: neither needs the other.
  const compiled = new Response(unpacked(wasm)).arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
  const code = await new Response(unpacked(packed)).blob();
  const running = workerOf(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
  giveData(running.worker);
  return { ...running, message: { do: 'start', shape: 'export', module: await compiled } };
}

/** Gives the data away, part by part: the browser may still read the page, which can be long. */
function giveData(worker: Worker): void {
  const give = (part: string, isLast: boolean): void => {
    const message: ToWorker = { do: 'data', part, isLast };
    worker.postMessage(message);
  };
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
function takeText(id: string): string | null {
  const element = document.getElementById(id);
  element?.remove();
  return element?.textContent?.trim() || null;
}

function missing(id: string): never {
  throw new Error(`this page has no ${id}: it was not saved whole`);
}

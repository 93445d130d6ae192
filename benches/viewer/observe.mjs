// The records that a page keeps of itself while it is measured. Each runs in the page before anything of its own, or is
// sent to it: none sees what stands around it here.

/** The time of each first appearance on the page, in milliseconds since the navigation; and each task of the main thread above 50. */
export const ON_THE_WAY = `
  globalThis.measured = { firstContent: null, firstRow: null, whole: null, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longest = Math.max(measured.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const now = performance.now();
    const main = document.querySelector('main');
    if (measured.firstContent === null && main !== null && main.textContent !== '') measured.firstContent = now;
    if (measured.firstRow === null && document.querySelector('li.row .name') !== null) measured.firstRow = now;
    const isWhole = measured.firstRow !== null && document.querySelector('.loading') === null;
    if (measured.whole === null && isWhole && globalThis.isAllThere?.()) measured.whole = now;
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
`;

/** All of so many are in the list, and counted. */
export const allOf = (count) => `
  globalThis.isAllThere = () =>
    document.querySelector('.count')?.textContent.startsWith('${count.toLocaleString('en-GB')} runs') ?? false;
`;

/** Times each key from its event to the frame after the list has the answer. */
export function timeKeys() {
  globalThis.keys = [];
  let begun = null;
  document.querySelector('input[type=search]').addEventListener('input', ({ timeStamp }) => (begun = timeStamp), true);
  const isBusy = () => document.querySelector('.list').getAttribute('aria-busy') === 'true';
  let wasBusy = false;
  new MutationObserver(() => {
    if (isBusy()) wasBusy = true;
    else if (wasBusy && begun !== null) {
      const from = begun;
      wasBusy = false;
      begun = null;
      requestAnimationFrame(() => globalThis.keys.push(performance.now() - from));
    }
  }).observe(document.querySelector('.overview'), { attributes: true, childList: true, subtree: true });
}

/** Scrolls the list from its start to its end, and takes the time of each frame. */
export function scrollAll(frames) {
  const pane = document.querySelector('.virtual');
  const step = (pane.scrollHeight - pane.clientHeight) / frames;
  return new Promise((resolve) => {
    const taken = [];
    let nodes = 0;
    let before = null;
    const frame = (now) => {
      if (before !== null) taken.push(now - before);
      before = now;
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
      if (taken.length === frames) resolve({ taken, nodes });
      else {
        pane.scrollTop += step;
        requestAnimationFrame(frame);
      }
    };
    requestAnimationFrame(frame);
  });
}

/** Writes down when each of these texts is in a row. */
export function watchFor(prefix) {
  globalThis.shownAt = {};
  const look = () => {
    const found = document.querySelector('main').textContent.matchAll(new RegExp(`${prefix}(\\d+)\\.`, 'g'));
    for (const [, number] of found) globalThis.shownAt[number] ??= Date.now();
  };
  new MutationObserver(look).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
}

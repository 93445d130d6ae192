// The scroll position of a list, kept with the entry of the history: "back" finds the last position.

import { useLayoutEffect } from 'preact/hooks';

import { address, parse } from './address';

/** Browsers refuse to write into the history more often than some hundred times in half a minute. */
const PAUSE_MS = 150;

/** Events that may lead to another view. */
const OPENING = ['keydown', 'click'];

/**
 * @param pane what scrolls
 * @param name of its place in the history's entry
 * @param isFilled whether it is as long as it will be, so that it can be scrolled
 */
export function useScrollPosition(pane: { current: HTMLElement | null }, name: string, isFilled: boolean): void {
  useLayoutEffect(() => {
    const { current } = pane;
    if (current === null || !isFilled) return;
    const saved: unknown = history.state?.[name];
    const restore = () => {
      if (typeof saved !== 'number') return;
      current.scrollTop = saved;
      // A list that is drawn in part gets the event immediately, before it drops what is in sight now.
      current.dispatchEvent(new Event('scroll'));
    };
    restore();
    // Elements that measure themselves have their height once they are drawn.
    const drawn = requestAnimationFrame(restore);

    const { view, key } = address.peek();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      timer = undefined;
      // Another entry than the one that was scrolled keeps a place of its own.
      const there = parse(location.hash);
      if (there.view === view && there.key === key) {
        history.replaceState({ ...history.state, [name]: current.scrollTop }, '');
      }
    };
    const onScroll = () => {
      timer ??= setTimeout(save, PAUSE_MS);
    };
    // An item that is opened right after has left it here. Other keys come too often to be written down each.
    const onOpen = (event: Event) => {
      if (timer === undefined || (event instanceof KeyboardEvent && event.key !== 'Enter')) return;
      clearTimeout(timer);
      save();
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    for (const name of OPENING) document.addEventListener(name, onOpen, true);
    return () => {
      cancelAnimationFrame(drawn);
      current.removeEventListener('scroll', onScroll);
      for (const name of OPENING) document.removeEventListener(name, onOpen, true);
      clearTimeout(timer);
    };
  }, [isFilled]);
}

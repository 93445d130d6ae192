// The positions of the parts of a page in a window: what is out of reach, too small for a finger, or covered.

/** The heights and widths of windows: a phone, a tablet, a laptop. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];

/** Finds the problems of the view that is shown, a line each. Sent to the page. */
export const misplaced = () => {
  /** The least side of a target, in px: WCAG 2.2, 2.5.8. */
  const TARGET = 24;
  /** Two boxes may have so much in common, in px: the box of a letter is higher than the letter. */
  const SLACK = 2;
  const found = new Set();
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const main = document.getElementById('main');

  const named = (it) => {
    const classes = typeof it.className === 'string' && it.className !== '' ? `.${it.className.replaceAll(' ', '.')}` : '';
    const text = (it.getAttribute('aria-label') ?? it.textContent).trim().slice(0, 40);
    return `${it.tagName.toLowerCase()}${classes} “${text}”`;
  };
  const scrolls = (how) => how === 'auto' || how === 'scroll';
  const isSticky = (it) => {
    for (let at = it; at !== null; at = at.parentElement) if (getComputedStyle(at).position === 'sticky') return true;
    return false;
  };

  /** A text in its own layout may go on to the side; nothing else does. */
  const sideways = () => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) found.add(`the page is ${wide} px wider than its window`);
    for (const it of document.querySelectorAll('body *:not(.lines)')) {
      if (!scrolls(getComputedStyle(it).overflowX)) continue;
      const hidden = it.scrollWidth - it.clientWidth;
      if (hidden > 1) found.add(`${hidden} px of ${named(it)} are out of reach at its side`);
    }
  };

  /** The elements that can be clicked, without ticks of a drawing: the list below it has each of them. */
  const targets = () =>
    [...scope.querySelectorAll('a[href], button, input, select, summary, [role=treeitem]')].filter(
      (it) => it.closest('.unseen, .skip, .ticks') === null && it.checkVisibility(),
    );

  const small = (it) => {
    const box = (it.matches('[type=checkbox], [type=radio]') ? (it.closest('label') ?? it) : it).getBoundingClientRect();
    const isInSentence = getComputedStyle(it).display === 'inline' && it.closest('p') !== null;
    if (isInSentence || Math.min(box.width, box.height) > TARGET - 0.5) return;
    found.add(`${named(it)} is ${Math.round(box.width)} × ${Math.round(box.height)} px`);
  };

  /** Scrolls as little as brings it into sight, and looks what stands there. */
  const unreachable = (it) => {
    it.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const [box] = [...it.getClientRects()].sort((one, other) => other.width - one.width);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      found.add(`${named(it)} is out of reach`);
      return;
    }
    const there = document.elementFromPoint(x, y);
    if (there === null || !it.contains(there)) found.add(`${named(it)} is under ${there === null ? 'nothing' : named(there)}`);
  };

  /** The part of a box that is not cut off; what the page itself scrolls away is not. */
  const cut = (box, parent) => {
    let { left, top, right, bottom } = box;
    for (let at = parent; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      if (at !== main && (overflowX !== 'visible' || overflowY !== 'visible')) {
        const by = at.getBoundingClientRect();
        [left, top] = [Math.max(left, by.left), Math.max(top, by.top)];
        [right, bottom] = [Math.min(right, by.right), Math.min(bottom, by.bottom)];
      }
      if (position === 'fixed') break;
    }
    return { left, top, right, bottom };
  };

  /** Each line of each text that is seen. */
  const texts = () => {
    const seen = [];
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const { data, parentElement: parent } = node;
      if (data.trim() === '' || parent.closest('.unseen, .skip, .ticks, option, script, style, noscript') !== null) continue;
      if (!parent.checkVisibility({ visibilityProperty: true }) || getComputedStyle(parent).fontSize === '0px') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = cut(rect, parent);
        if (box.right - box.left > SLACK && box.bottom - box.top > SLACK) seen.push({ ...box, node, parent, text: data.trim().slice(0, 40) });
      }
    }
    return seen.sort((one, other) => one.top - other.top);
  };

  const overlapping = (seen) => {
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        if (other.top > one.bottom - SLACK) break;
        // A text that is cut off with “…” has a box with that and one without.
        if (other.node === one.node) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        if (across > SLACK && Math.min(one.bottom, other.bottom) - other.top > SLACK) {
          found.add(`“${one.text}” and “${other.text}” stand in one place`);
        }
      }
    }
  };

  /** A text at whose beginning, middle or end something else is seen. */
  const covered = ({ left, top, right, bottom, parent, text }) => {
    // A drawing is not asked; what lets the pointer through says that it is over it.
    if (parent.closest('svg') !== null || getComputedStyle(parent).pointerEvents === 'none') return;
    const y = (top + bottom) / 2;
    const { top: above, bottom: below } = main.getBoundingClientRect();
    if (y < 0 || y > innerHeight || (main.contains(parent) && (y < above || y > below))) return;
    for (const x of [left + SLACK, (left + right) / 2, right - SLACK]) {
      const there = document.elementFromPoint(x, y);
      if (there === null || there.contains(parent) || parent.contains(there) || isSticky(there)) continue;
      found.add(`“${text}” is under ${named(there)}`);
    }
  };

  sideways();
  const seen = texts();
  overlapping(seen);
  seen.forEach(covered);
  const clickable = targets();
  clickable.forEach(small);
  // Down, where each comes in at the lower edge, and up again.
  clickable.forEach(unreachable);
  clickable.toReversed().forEach(unreachable);
  for (const it of document.querySelectorAll('main, main *, dialog[open]')) if (it.scrollTop !== 0) it.scrollTop = 0;
  return [...found];
};

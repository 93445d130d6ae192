// axe-core in every view, scheme and width; and that nothing is cut off at its width, nothing moves that shall not, and
// dates are in the browser's language.

import assert from 'node:assert/strict';
import test from 'node:test';
import { VIEWS, leave, show } from '../views.mjs';
import { SCHEMES, violationsIn } from './axe.mjs';
import { listed } from './fixture.mjs';

for (const scheme of Object.keys(SCHEMES)) {
  test(`every view keeps the rules of accessibility at every width in ${scheme}`, async (t) => {
    const { visitor } = await listed(t, { reducedMotion: 'reduce' });
    const found = [];
    for (const width of [320, 768, 1280]) found.push(...(await violationsIn(visitor, scheme, width)));
    assert.deepEqual(found, []);
  });
}

test('no view is wider than its window, from 320 to 3840 pixels', async (t) => {
  const { visitor } = await listed(t);
  const found = [];
  for (const [width, height] of [[320, 640], [768, 1024], [1280, 800], [3840, 2160]]) {
    await visitor.tab.page.setViewportSize({ width, height });
    for (const view of VIEWS) {
      await show(visitor, view);
      const wide = await visitor.ask(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${view.name} at ${width}: ${wide} pixels`);
      await leave(visitor, view);
    }
  }
  assert.deepEqual(found, []);
});

test('nothing moves where motion is not wanted', async (t) => {
  const { visitor } = await listed(t, { reducedMotion: 'reduce' });
  for (const view of VIEWS) {
    await show(visitor, view);
    const moving = await visitor.ask(() =>
      document.getAnimations().map(({ effect }) => effect.target.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(moving, [], view.name);
    await leave(visitor, view);
  }
});

test('dates are written as the language of the browser has them', async (t) => {
  const title = async (locale) => {
    const { visitor } = await listed(t, { locale });
    return visitor.ask(() => document.querySelector('li.row time').title);
  };
  assert.match(await title('de-DE'), /\d{2}\.\d{2}\.2026|\d+\. \p{L}+\.? 2026/u);
  assert.match(await title('en-US'), /[A-Z][a-z]{2} \d+, 2026/);
});

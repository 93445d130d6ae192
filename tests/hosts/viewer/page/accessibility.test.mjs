// axe-core: WCAG 2.2 AA and best practice, in every view, scheme and width; and that nothing is cut off at its width.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import test, { after, before } from 'node:test';
import { makeSample } from '../data/sample.mjs';
import { folder, untilTheEnd } from '../ground.mjs';
import { VIEWS, leave, show } from '../views.mjs';
import { served, withChromium } from './ground.mjs';

const modules = createRequire(path.join(process.env.MILEPOST_VIEWER_MODULES ?? '', 'index.js'));
const AXE = fs.readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [320, 768, 1280];
const SCHEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
};

withChromium();
const atTheEnd = untilTheEnd(after);

let root;

before(async () => {
  root = folder(atTheEnd);
  await makeSample(root);
});

/** Sent to the page. */
const violations = async (tags) => {
  const { violations } = await globalThis.axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`));
};

for (const [scheme, media] of Object.entries(SCHEMES)) {
  test(`no view breaks a rule of accessibility in ${scheme}`, async (t) => {
    const { visitor } = await served(t, root, { reducedMotion: 'reduce' });
    await visitor.tab.page.emulateMedia(media);
    await visitor.ask(AXE);
    const found = [];
    for (const width of WIDTHS) {
      await visitor.tab.page.setViewportSize({ width, height: 800 });
      for (const view of VIEWS) {
        await show(visitor, view);
        for (const one of await visitor.ask(violations, RULES)) found.push(`${view.name} at ${width}: ${one}`);
        await leave(visitor, view);
      }
    }
    assert.deepEqual(found, []);
  });
}

test('no view is wider than its window, from 320 to 3840 pixels', async (t) => {
  const { visitor } = await served(t, root);
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
  const { visitor } = await served(t, root, { reducedMotion: 'reduce' });
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
    const { visitor } = await served(t, root, { locale });
    return visitor.ask(() => document.querySelector('li.row time').title);
  };
  assert.match(await title('de-DE'), /\d{2}\.\d{2}\.2026|\d+\. \p{L}+\.? 2026/u);
  assert.match(await title('en-US'), /[A-Z][a-z]{2} \d+, 2026/);
});

// Pictures of views in a window of a phone and of a laptop, against golden files beside the tests; `MILEPOST_BLESS=1`
// writes them again. A picture that differs is in `target/test/pictures`, with its difference.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test, { after } from 'node:test';
import { NOW } from '../data/sample.mjs';
import { PICTURE_FLAGS, Person, launch } from '../drive/chromium.mjs';
import { Visitor } from '../drive/visitor.mjs';
import { Server, once, untilTheEnd } from '../fixture.mjs';
import { SIZES } from '../page/geometry.mjs';
import { sample } from '../sample.mjs';
import { VIEWS, show } from '../views.mjs';
import { bringFont, fontsOfMachine } from './font.mjs';
import { compare, small } from './picture.mjs';

/** These tests run on a copy of the clone, where golden files are written. */
const GOLDEN = path.join(import.meta.dirname, '../golden/pictures');
const IN_CLONE = path.join(process.env.MILEPOST_GOLDEN ?? '', 'pictures');
const OUT = process.env.MILEPOST_PICTURES;
const BLESS = 'MILEPOST_BLESS=1 cargo xtask test --only "pictures of the page"';
/** The version that drew the golden files. */
const BROWSER = 'chromium.txt';

/** The part of the pixels that may differ in any window of a picture. */
const TOLERANCE = 0.05;

const PICTURES = [
  ...VIEWS.filter(({ name }) => ['overview', 'compare', 'tasks'].includes(name)),
  { name: 'search', address: '#/overview?q=theme' },
  { name: 'failed-run', address: `#/timeline/${encodeURIComponent('c/review-feeds')}` },
  // Its differences are beside each other, where they have room.
  { name: 'snapshot', address: `#/revision/${encodeURIComponent('s/chk-20260305-111700')}`, at: '.story table.diff' },
];

const atTheEnd = untilTheEnd(after);

/** A server that has counted the commits since each run: pages that it showed before would get that late. */
const begun = once(async () => {
  fs.rmSync(OUT, { recursive: true, force: true });
  fs.mkdirSync(process.env.MILEPOST_BLESS ? IN_CLONE : OUT, { recursive: true });
  const browser = await launch([...PICTURE_FLAGS, '--disable-font-subpixel-positioning']);
  atTheEnd(() => browser.close());
  // It is given no folder, which commands on the page would name: each run has another one.
  const server = await Server.of(await sample(), atTheEnd, [], []);
  const fixture = { browser, server, cookie: await server.enter() };
  const { person, visitor } = await enter(fixture, { width: 1280, height: 6_000 });
  await show(visitor, { address: '#/overview' });
  const areCommitsCounted = () => document.querySelector('main').textContent.includes('since this was recorded');
  await visitor.until('the commits since are counted', areCommitsCounted);
  await person.close();
  return fixture;
});

/** Opens a view that no picture is of: the font is there before the others are drawn. */
async function enter({ browser, server, cookie }, viewport) {
  const person = await Person.of(browser, { viewport, colorScheme: 'light', reducedMotion: 'reduce', bypassCSP: true });
  await person.context.addCookies([cookie]);
  const tab = await person.tab();
  await tab.page.clock.setFixedTime(NOW);
  const visitor = new Visitor(tab);
  await visitor.open(`${server.origin}/#/sessions`);
  await bringFont(tab);
  return { person, visitor };
}

/** Takes pictures until two are the same. */
async function still(visitor) {
  let before = null;
  for (let count = 0; count < 20; count++) {
    await visitor.drawn();
    const now = await visitor.tab.page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (before?.equals(now)) return now;
    before = now;
  }
  assert.fail('the view never stands still');
}

for (const size of SIZES.filter(({ width }) => [390, 1280].includes(width))) {
  for (const view of PICTURES) {
    test(`at ${size.width} px the picture of ${view.name} is that of its golden file`, async (t) => {
      const fixture = await begun();
      const { person, visitor } = await enter(fixture, size);
      t.after(() => person.close());
      await show(visitor, view);
      if (view.at !== undefined) {
        await visitor.until(`${view.at} is there`, (at) => document.querySelector(at) !== null, view.at);
        await visitor.ask((at) => document.querySelector(at).scrollIntoView({ block: 'center' }), view.at);
      }
      const actual = await still(visitor);
      assert.deepEqual(await fontsOfMachine(visitor.tab), [], 'fonts of this machine stand in for the bundled one');
      const name = `${view.name}-${size.width}`;
      const browser = `${fixture.browser.version()}\n`;
      if (process.env.MILEPOST_BLESS) {
        fs.writeFileSync(path.join(IN_CLONE, `${name}.png`), small(actual));
        fs.writeFileSync(path.join(IN_CLONE, BROWSER), browser);
        return;
      }
      const file = path.join(GOLDEN, `${name}.png`);
      assert.ok(fs.existsSync(file), `there is no golden/pictures/${name}.png; ${BLESS} writes it, to be looked at`);
      const { share, difference } = compare(fs.readFileSync(file), actual);
      if (share <= TOLERANCE) return;
      fs.writeFileSync(path.join(OUT, `${name}-actual.png`), actual);
      fs.writeFileSync(path.join(OUT, `${name}-difference.png`), difference);
      const drawnBy = fs.readFileSync(path.join(GOLDEN, BROWSER), 'utf8').trim();
      assert.fail(
        `${name} differs in ${(share * 100).toFixed(0)} % of a window (${TOLERANCE * 100} % may): see ${OUT}\n` +
          `Chromium ${browser.trim()} drew it, ${drawnBy} the golden file. If it is meant to be so: ${BLESS}`,
      );
    });
  }
}

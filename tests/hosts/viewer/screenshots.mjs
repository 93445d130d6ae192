// Screenshots of every view of the sample project, light and dark, for docs/guide/viewer.md.
//
//   node screenshots.mjs --out FOLDER

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { NOW, makeSample } from './data/sample.mjs';
import { PICTURE_FLAGS, Person, launch } from './drive/chromium.mjs';
import { Visitor } from './drive/visitor.mjs';
import { Server } from './fixture.mjs';
import { VIEWS, leave, show } from './views.mjs';

const SHOWN = ['overview', 'timeline', 'revision', 'compare', 'blame', 'sessions', 'session', 'tasks', 'doctor', 'help'];

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('usage: screenshots.mjs --out FOLDER');
fs.mkdirSync(values.out, { recursive: true });

const undo = [];
const browser = await launch(PICTURE_FLAGS);
try {
  const above = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-viewer-'));
  undo.push(() => fs.rmSync(above, { recursive: true, force: true }));
  const root = path.join(above, 'lumen');
  fs.mkdirSync(root);
  await makeSample(root);
  for (const scheme of ['light', 'dark']) {
    const server = await Server.of(root, (stop) => undo.push(stop));
    const person = await Person.of(browser, { colorScheme: scheme, reducedMotion: 'reduce', viewport: { width: 960, height: 540 } });
    const tab = await person.tab();
    await tab.page.clock.setFixedTime(NOW);
    const visitor = new Visitor(tab);
    await visitor.open(server.address);
    for (const view of VIEWS.filter(({ name }) => SHOWN.includes(name))) {
      await show(visitor, view);
      await visitor.ask(() => document.fonts.ready.then(() => true));
      const file = path.join(values.out, `${view.name}-${scheme}.png`);
      await tab.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
      await leave(visitor, view);
    }
    await person.close();
  }
} finally {
  await browser.close();
  for (const one of undo.reverse()) one();
}

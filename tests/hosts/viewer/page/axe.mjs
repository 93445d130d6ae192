// axe-core in a page: WCAG 2.2 AA and best practice.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { VIEWS, leave, show } from '../views.mjs';

const modules = createRequire(path.join(process.env.MILEPOST_VIEWER_MODULES ?? '', 'index.js'));

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const SCHEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
};

/** Sent to the page. */
const violations = async (tags) => {
  const { violations } = await globalThis.axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  );
};

/** The broken rules in any of these views, in a scheme and in a window of this width. */
export async function violationsIn(visitor, scheme, width, views = VIEWS) {
  const { page } = visitor.tab;
  await page.emulateMedia(SCHEMES[scheme]);
  await page.setViewportSize({ width, height: 800 });
  if (!(await visitor.ask(() => 'axe' in globalThis))) {
    await visitor.ask(fs.readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const found = [];
  for (const view of views) {
    await show(visitor, view);
    for (const one of await visitor.ask(violations, RULES)) found.push(`${view.name} at ${width}: ${one}`);
    await leave(visitor, view);
  }
  return found;
}

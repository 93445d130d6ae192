// The font of the pictures: DejaVu, from an npm package, so that no picture depends on the fonts of a machine. It has
// every arrow and mark of the page.

import * as fs from 'node:fs';
import * as path from 'node:path';

const FOLDER = path.join(process.env.MILEPOST_VIEWER_MODULES ?? '', 'dejavu-fonts-ttf/ttf');

const FACES = [
  { family: 'Bundled Sans', weight: 400, file: 'DejaVuSans.ttf' },
  { family: 'Bundled Sans', weight: 700, file: 'DejaVuSans-Bold.ttf' },
  { family: 'Bundled Mono', weight: 400, file: 'DejaVuSansMono.ttf' },
];

/** Has a page drawn with the font. Its policy allows no fonts, so that the tab has to bypass it. */
export async function bringFont({ page }) {
  const faces = FACES.map(({ family, weight, file }) => {
    const data = fs.readFileSync(path.join(FOLDER, file), 'base64');
    return `@font-face { font-family: '${family}'; font-weight: ${weight}; src: url(data:font/ttf;base64,${data}); }`;
  });
  const names = ":root { --sans: 'Bundled Sans'; --mono: 'Bundled Mono'; }";
  await page.addStyleTag({ content: [...faces, names].join('\n') });
  const shorthands = FACES.map(({ family, weight }) => `${weight} 16px '${family}'`);
  await page.evaluate(async (all) => void (await Promise.all(all.map((it) => document.fonts.load(it)))), shorthands);
}

/** Returns the fonts of the machine that a page is drawn with: they stand in for letters that the bundled one lacks. */
export async function fontsOfMachine({ page }) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body *' });
  const drawn = await Promise.all(
    nodeIds.map(async (nodeId) => {
      try {
        return await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      } catch (error) {
        // The page may draw a node again before the answer, such as a time that passes.
        if (/Could not find node/.test(error.message)) return { fonts: [] };
        throw error;
      }
    }),
  );
  await devtools.detach();
  const fonts = drawn.flatMap((it) => it.fonts).filter(({ isCustomFont }) => !isCustomFont);
  return [...new Set(fonts.map(({ familyName }) => familyName))];
}

// Pictures as PNG: how far two of them differ, and a small file of one.

import { createRequire } from 'node:module';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as zlib from 'node:zlib';

const tools = createRequire(path.join(process.env.MILEPOST_VIEWER_MODULES ?? '', 'index.js'));
const { PNG } = tools('pngjs');
// Knows the edges of letters, which a newer browser may draw a little darker, from a difference.
const { default: pixelmatch } = await import(pathToFileURL(tools.resolve('pixelmatch')).href);

/** The side of a window in px, of which a badge is much; of a whole picture it is nothing. */
const WINDOW = 40;
/** A distance of colours that is less than that of a badge's light ground from white. */
const THRESHOLD = 0.06;

/** Compares two pictures: the largest share of pixels that differ in any window, and a picture of where. */
export function compare(golden, actual) {
  const [a, b] = [PNG.sync.read(golden), PNG.sync.read(actual)];
  const { width, height } = a;
  const difference = new PNG({ width, height });
  const options = { windowSize: WINDOW, threshold: THRESHOLD };
  const pixels = pixelmatch(a.data, b.data, difference.data, width, height, options);
  return { share: pixels / WINDOW ** 2, difference: PNG.sync.write(difference) };
}

/** Between two levels of a channel: less than `compare` sees, and a view has fewer than 256 colours so. */
const STEP = 17;

/** A picture by a palette of its colours, in a third of the bytes. */
export function small(picture) {
  const { width, height, data } = PNG.sync.read(picture);
  const level = (at) => Math.round(data[at] / STEP);
  const palette = new Map();
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * 4;
    const color = (level(at) << 8) | (level(at + 1) << 4) | level(at + 2);
    if (!palette.has(color)) palette.set(color, palette.size);
    rows[pixel + Math.floor(pixel / width) + 1] = palette.get(color);
  }
  if (palette.size > 256) return picture;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(height, header.writeUInt32BE(width));
  const colors = [...palette.keys()].flatMap((color) => [color >> 8, (color >> 4) & 15, color & 15]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.map((it) => it * STEP))),
    chunk('IDAT', zlib.deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const made = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  made.writeUInt32BE(data.length, 0);
  made.writeUInt32BE(zlib.crc32(made.subarray(4, -4)), made.length - 4);
  return made;
}

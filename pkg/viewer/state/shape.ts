// The way in which the page was opened.

import type { PageShape } from '../work/messages';
import { TOKEN } from './address';

const SHAPES: PageShape[] = ['hosted', 'server', 'export'];

const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="milepost-${name}"]`)?.content;

/** As the page's `meta` says. */
export const shape: PageShape = SHAPES.find((it) => it === said('shape')) ?? 'hosted';

/** The words of a shell that start the program where the page is from. */
export const program: string = said('program') ?? 'milepost';

/** The token of the local server, which is taken out of the address: it is good once, and no link shall have it. */
export function takeToken(): string | null {
  if (!location.hash.startsWith(TOKEN)) return null;
  const token = location.hash.slice(TOKEN.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

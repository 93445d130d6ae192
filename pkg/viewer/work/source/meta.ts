// The first frame of a stream: where the checkpoints are from.

export interface Meta {
  root: string;
  /** The folder of runs, and that of snapshots. */
  state: string;
  sessions: string;
  /** The words of a shell that start the program there. */
  program: string;
}

/** A stream whose first line is longer than this begins with no frame. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads along until the first line has ended. */
export class FirstLine {
  #parts: Uint8Array[] = [];
  #bytes = 0;
  meta: Meta | null = null;

  /** @returns whether the line has ended by now */
  take(part: Uint8Array): boolean {
    if (this.meta !== null) return true;
    const end = part.indexOf(10);
    this.#parts.push(end === -1 ? part : part.subarray(0, end));
    this.#bytes += part.length;
    if (end === -1 && this.#bytes < MAX_BYTES) return false;
    this.meta = metaOf(JSON.parse(new TextDecoder().decode(joined(this.#parts))));
    this.#parts = [];
    return true;
  }
}

/** The place in a header, where it has one. */
export function metaOf(header: { meta?: Partial<Meta> }): Meta {
  const { root = '', state = '.claude/state', sessions = '.claude/checkpoints' } = header.meta ?? {};
  return { root, state, sessions, program: header.meta?.program ?? 'milepost' };
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The folder that a path is in, and its name there. */
export function split(path: string): [string, string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
}

/** The file that says which commands a project adds. */
export const CONFIG = '.claude/config/integrations.json';

/** Returns whether the content of a file is brought without being wanted: lists are made of it. */
export function isOfBeginning(path: string, { state, sessions }: Meta): boolean {
  if (path === CONFIG) return true;
  const [folder, name] = split(path);
  if (folder === state) return name.endsWith('.json');
  if (folder === sessions) return /\.(ya?ml|json)$/.test(name);
  return name === 'index.json' && /\/(tasks|threads)\/[^/]+$/.test(folder) && folder.startsWith(`${state}/`);
}

// The local server: a stream of what is shown at the beginning, contents by their ids, and changes as they come.

import type { Examination, FileRequest } from '../protocol';
import type { Connection } from '../messages';
import { FirstLine, isOfBeginning, metaOf, type Meta } from './meta';
import { MAX_DOCUMENT_BYTES, Source, type Next, type Sink } from './source';

/** The header of a frame. */
interface Header {
  meta?: Partial<Meta>;
  file?: string;
  folder?: string;
  link?: string;
  gone?: string;
  listed?: string;
  size?: number;
  id?: string;
  fault?: string;
}

/** Addresses longer than this are refused by some servers. */
const MAX_ADDRESS = 4000;
/** So long a server may be away before it is said to have ended: a machine that wakes up needs some of it. */
const GRACE_MS = 4000;

const LOST = 'The connection to the local server is lost; it is tried again.';
const LOCKED = 'The local server does not know this page: its link was used before, or is of a server that has ended.';

/** The server does not let this page in. */
class Locked extends Error {}

export class Server extends Source {
  #token: string | null;
  /** The core in use, once it has what is shown at the beginning. */
  #sink: Sink | null = null;
  #meta: Meta = metaOf({});
  #events: EventSource | null = null;
  #isLive = true;
  /** The newest that was said of each path, which is not in the core yet. */
  #changes = new Map<string, Header>();
  /** Something may have been sent that was not heard: only reading all of it again makes up for that. */
  #isStale = false;
  /** It did not have what it reported, and nothing has come from it since. */
  #isDoubted = false;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(token: string | null) {
    super();
    this.#token = token;
  }

  start(sink: Sink): Promise<void> {
    this.#say('opening');
    return this.inTurn(async () => {
      try {
        if (this.#token !== null) await this.#exchange(this.#token);
        this.#token = null;
        // Before the files, so that no change between the two is missed.
        this.#listen();
        await this.#read({ sink, use() {} });
        this.#settle();
      } catch (error) {
        this.#miss();
        if (error instanceof Locked) this.#lock();
        else this.#say('ended', `${this.#ended} (${error instanceof Error ? error.message : String(error)})`);
      }
    });
  }

  async bring(wants: FileRequest[]): Promise<void> {
    const sink = this.#sink;
    if (sink === null) throw new Error(this.#ended);
    const ids: string[] = [];
    for (const { id, path } of wants) {
      if (id === undefined || id === null) sink.frame({ gone: path });
      else ids.push(id);
    }
    try {
      await this.#contents(ids, sink);
    } catch (error) {
      this.#doubt();
      throw error;
    }
  }

  again(): Promise<void> {
    this.#listen();
    return this.#readAgain();
  }

  live(on: boolean): void {
    this.#isLive = on;
    this.#settle();
    this.#apply();
  }

  async examine(question: Examination): Promise<unknown> {
    const isPlan = question.query === 'rewind';
    const response = await this.#get(isPlan ? `api/prompts/${question.to}` : `api/${question.query}`);
    return response.json();
  }

  stop(): void {
    this.#events?.close();
    clearTimeout(this.#patience);
  }

  /** The token is good once; from then on the browser sends the cookie that it was exchanged for. */
  async #exchange(token: string): Promise<void> {
    await this.#get('api/session', { Authorization: `Bearer ${token}` });
  }

  /** Reads all of it again, and shows it once it is there: files that vanished in between were not reported. */
  #readAgain(): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.#read(await this.another());
        this.#settle();
      } catch (error) {
        // The last state stays on the page.
        this.#miss();
        if (error instanceof Locked) this.#say('ended', LOCKED);
        // While it is tried again, the end of that says whether it comes to anything.
        else if (this.#events?.readyState !== EventSource.CONNECTING) this.#say('ended', this.#ended);
      }
    });
  }

  async #read({ sink, use }: Next): Promise<void> {
    const { body } = await this.#get('api/files');
    const first = new FirstLine();
    await this.#stream(body, (part) => {
      if (first.take(part) && first.meta !== null) this.#meta = first.meta;
      sink.take(part);
    });
    this.#sink = sink;
    use();
  }

  async #stream(body: ReadableStream<Uint8Array> | null, take: (part: Uint8Array) => void): Promise<void> {
    const reader = body?.getReader();
    if (reader === undefined) return;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      take(part.value);
      this.taken();
    }
  }

  async #contents(ids: string[], sink: Sink): Promise<void> {
    for (const group of groups(ids)) {
      const { body } = await this.#get(`api/content/${group.join(',')}`);
      // A stream that is cut would leave the core within a frame: it goes in whole.
      const parts: Uint8Array[] = [];
      await this.#stream(body, (part) => parts.push(part));
      for (const part of parts) sink.take(part);
      this.taken();
      this.#isDoubted = false;
    }
  }

  async #get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(address, { headers, cache: 'no-store', credentials: 'same-origin' });
    if (response.status === 401 || response.status === 403) throw new Locked();
    if (!response.ok) throw new Error((await said(response)) ?? `the local server answered ${response.status} for /${address}`);
    return response;
  }

  #listen(): void {
    this.#events?.close();
    const events = new EventSource('api/changes');
    this.#events = events;
    this.#isStale = false;
    events.onmessage = ({ data }: MessageEvent<string>) => this.#hear(JSON.parse(data) as Header[]);
    events.onopen = () => {
      clearTimeout(this.#patience);
      this.#patience = undefined;
      if (!this.#isStale) return;
      this.#isStale = false;
      void this.#readAgain();
    };
    events.onerror = () => this.#lose(events);
  }

  /** The browser tries again by itself, unless it was refused. */
  #lose({ readyState }: EventSource): void {
    this.#miss();
    if (readyState === EventSource.CLOSED) {
      this.#say('ended', this.#ended);
      return;
    }
    if (this.#patience !== undefined) return;
    this.#say('lost', LOST);
    this.#patience = setTimeout(() => this.#say('ended', this.#ended), GRACE_MS);
  }

  /** Of what was sent, something is lost. The rest is as good as lost, since all of it is to be read again. */
  #miss(): void {
    this.#isStale = true;
    this.#changes.clear();
  }

  /** Listens to it again, and reads all of it: this shows, once, whether it is there, and has what it reported. */
  #doubt(): void {
    if (this.#isStale) return;
    if (this.#isDoubted) this.#say('ended', this.#ended);
    else this.#listen();
    this.#isDoubted = true;
    this.#miss();
  }

  #hear(headers: Header[]): void {
    for (const header of headers) {
      const path = header.file ?? header.folder ?? header.link ?? header.gone ?? header.listed;
      const key = path ?? 'meta';
      // As the newest of its path, and after what came before.
      this.#changes.delete(key);
      this.#changes.set(key, header);
    }
    this.#apply();
  }

  /** Brings what changed into the core; later changes wait until then, so that a busy folder costs no more. */
  #apply(): void {
    void this.inTurn(async () => {
      const sink = this.#sink;
      if (!this.#isLive || this.#isStale || sink === null || this.#changes.size === 0) return;
      const changes = [...this.#changes.values()];
      this.#changes.clear();
      try {
        const ids: string[] = [];
        for (const header of changes) {
          if (header.meta !== undefined) this.#meta = metaOf(header);
          if (this.#isToBring(header)) ids.push(header.id as string);
          else sink.frame(header);
        }
        await this.#contents(ids, sink);
        this.taken();
      } catch {
        this.#doubt();
      }
    });
  }

  #isToBring({ file, size = 0, id, fault }: Header): boolean {
    if (file === undefined || id === undefined || fault !== undefined || size > MAX_DOCUMENT_BYTES) return false;
    return isOfBeginning(file, this.#meta);
  }

  get #ended(): string {
    const view = `\`${this.#meta.program} view\``;
    return `The local server has ended. The page shows its last state. Run ${view} again and open its new link.`;
  }

  #lock(): void {
    this.stop();
    this.#say('locked', LOCKED);
  }

  /** The last reading is complete, and changes are heard. */
  #settle(): void {
    if (!this.#isStale) this.#say(this.#isLive ? 'live' : 'still');
  }

  #say(connection: Connection, trouble: string | null = null): void {
    const name = this.#meta.root;
    const isAway = connection === 'ended' || connection === 'lost';
    this.report({ connection, name, follows: connection !== 'opening', canReadAgain: isAway, trouble });
  }
}

/** As many ids as fit into one address. */
function groups(ids: string[]): string[][] {
  const found: string[][] = [];
  let length = MAX_ADDRESS;
  for (const id of new Set(ids)) {
    length += id.length + 1;
    if (length > MAX_ADDRESS) {
      found.push([]);
      length = id.length;
    }
    found.at(-1)?.push(id);
  }
  return found;
}

/** The sentence of a refusal, if it has one. */
async function said(response: Response): Promise<string | undefined> {
  try {
    return ((await response.json()) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

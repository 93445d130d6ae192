// The worker: holds the core, reads the source into it, answers the page's questions. All work on
// documents is done here, so that the page is never kept waiting.

import type { Answer, CoreReply, Examination, Failure, FileRequest, Query } from './protocol';
import { Core, FILE } from './core';
import type { FileBatch, FromWorker, Progress, SourceState, ToWorker } from './messages';
import { Embedded } from './source/embedded';
import { Folder } from './source/folder';
import { ChosenFiles } from './source/chosen-files';
import { Server } from './source/server';
import { NO_SERVER, type Next, type Source } from './source/source';

/** So long a part of indexing takes, so that a question waits no longer than that. */
const TICK_MS = 8;
/** The first part is short: nothing is shown before it. */
const FIRST_TICK_MS = 1;
/** The interval of progress reports while much is read; the page asks for its answers again with each. */
const REPORT_MS = 250;
/** So often a question may want more before it is given up: a folder, its entries, what those name. */
const MAX_ROUNDS = 16;

interface Waiting {
  id: number;
  query: Query;
  rounds: number;
}

/** The wasm of every core. */
let loaded: Promise<WebAssembly.Module>;
let core: Core | null = null;
let source: Source | null = null;
/** The content of an exported page, which comes before and after it is used. */
const embedded = new Embedded();
/** The source has brought what is shown at the beginning: until then its stream may be within a frame. */
let begun: Promise<void> = Promise.resolve();
let isBeginning = false;

/** Questions in the order that they came in. */
const waiting: Waiting[] = [];
/** Those for which something is brought. */
const bringing = new Map<number, Waiting>();

let progress: Progress = { version: 0, indexed: 0, total: 0, pending: 0 };
let reported = 0;
/** Versions of instances that were replaced, so that the number only grows. */
let versionsBefore = 0;
/** All that the folder of documents has was counted, though the source may have more to say. */
let isWhole = false;
/** Something was taken since the last time that there was nothing to index. */
let isBehind = false;
/** The source's state at the end of its beginning: it is not sent before what it brought is counted. */
let pendingState: SourceState | null = null;

const send = (message: FromWorker): void => postMessage(message);

onmessage = (event: MessageEvent<ToWorker>) => {
  const { data } = event;
  switch (data.do) {
    case 'start':
      start(data).catch(fail);
      break;
    case 'data':
      embedded.add(data.part, data.isLast);
      break;
    case 'query':
      waiting.push({ id: data.id, query: data.query, rounds: 0 });
      wake();
      break;
    case 'cancel': {
      const at = waiting.findIndex(({ id }) => id === data.id);
      if (at !== -1) waiting.splice(at, 1);
      bringing.delete(data.id);
      break;
    }
    case 'open':
      use(new Folder(data.folder)).catch(fail);
      break;
    case 'files':
      takeFiles(data).catch(fail);
      break;
    case 'live':
      source?.live?.(data.on);
      break;
    case 'again':
      source?.again?.().catch(fail);
  }
};

async function start(message: ToWorker & { do: 'start' }): Promise<void> {
  if (message.shape === 'export') {
    loaded = Promise.resolve(message.module);
    await use(embedded);
    return;
  }
  loaded = compiled(FILE);
  // A page that waits for a drop says later that it could not be loaded.
  loaded.catch(() => {});
  if (message.shape === 'server') await use(new Server(message.token));
  await loaded;
}

/** Compiled while it comes, where the server says what it is. */
async function compiled(address: string): Promise<WebAssembly.Module> {
  const response = await fetched(address);
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${address}`);
  return response;
}

let chosen: ChosenFiles | null = null;

/** Files come in parts, since finding them takes time; the first part begins another source. */
async function takeFiles(batch: FileBatch): Promise<void> {
  if (batch.first) chosen = new ChosenFiles(batch.name);
  chosen?.add(batch);
  if (batch.last && chosen !== null) await use(chosen);
}

/** Shows another source, in an instance that knows nothing of the one before. */
async function use(next: Source): Promise<void> {
  source?.stop?.();
  source = next;
  pendingState = null;
  next.report = (state) => {
    if (source === next) sendSource(state);
  };
  next.another = async () => another(next, await loaded);
  next.taken = taken;
  const made = await loaded;
  if (source !== next) return;
  const first = new Core(made);
  renew(first);
  isBeginning = true;
  begun = next.start(first);
  try {
    await begun;
  } finally {
    if (source === next) {
      isBeginning = false;
      taken();
    }
  }
}

/** A second core, which takes the place of the first one once it has everything. */
function another(of: Source, module: WebAssembly.Module): Next {
  const next = new Core(module);
  return {
    sink: next,
    use() {
      if (source === of) renew(next);
    },
  };
}

function renew(next: Core): void {
  core = next;
  versionsBefore = progress.version + 1;
  progress = { version: versionsBefore, indexed: 0, total: 0, pending: 0 };
  isWhole = false;
  taken();
}

function sendSource(state: SourceState): void {
  const isSettled = state.connection === 'live' || state.connection === 'still';
  pendingState = isBeginning && isSettled ? state : null;
  if (pendingState !== null) return;
  // Entries that were read and not indexed are not to be taken for an empty project.
  if (isBehind && progress.pending === 0 && state.connection !== 'opening') {
    progress = { ...progress, pending: 1 };
    send({ is: 'progress', progress });
  }
  send({ is: 'source', source: state });
}

function fail(error: unknown): void {
  const state = { name: '', follows: false, canReadAgain: false };
  sendSource({ ...state, connection: 'failed', trouble: messageOf(error) });
}

/** The core has got more: it has to be indexed. */
function taken(): void {
  isBehind = true;
  wake();
}

// Between two parts of work, messages get in: a channel's own message comes after those that are there.
const turns = new MessageChannel();
let isAwake = false;
turns.port1.onmessage = () => {
  isAwake = false;
  try {
    work();
  } catch (error) {
    fail(error);
  }
};

function wake(): void {
  if (isAwake) return;
  isAwake = true;
  turns.port2.postMessage(null);
}

/** One question, or else one part of the index. */
function work(): void {
  if (core === null) return;
  const next = waiting.shift();
  if (next !== undefined) answer(core, next);
  else if (isBehind) tick(core);
  if (waiting.length > 0 || isBehind) wake();
}

function tick(core: Core): void {
  const ms = progress.indexed === 0 ? FIRST_TICK_MS : TICK_MS;
  const { value, error, wants } = core.query({ query: 'tick', ms });
  if (error !== undefined) throw new Error(error.message);
  if (wants !== undefined) {
    isBehind = false;
    if (source !== null) bringForIndex(wants, source);
    if (isToReport()) sendProgress(known(core));
    sendPendingState();
    return;
  }
  const { whole, ...next } = value as Answer<Query<'tick'>>;
  isBehind = next.pending > 0;
  const isFirst = progress.indexed === 0 && next.indexed > 0;
  const isLast = !isBehind && (!isBeginning || (whole && !isWhole));
  isWhole = whole;
  if (isFirst || isLast || isToReport()) sendProgress(next);
  sendPendingState();
}

/** Progress is sent now and then, and before the source is said to have come to rest. */
function isToReport(): boolean {
  return (pendingState !== null && !isBeginning) || performance.now() - reported > REPORT_MS;
}

function sendPendingState(): void {
  if (pendingState !== null && !isBeginning) sendSource(pendingState);
}

/** The progress of the index, though it lacks something. */
function known(core: Core): Progress {
  const question = { query: 'overview', filter: {}, sort: 'name', from: 0, count: 0, now: Date.now() };
  const { version, total, pending } = (core.query(question).value ?? progress) as Progress;
  return { version, total, pending, indexed: total - pending };
}

function sendProgress(next: Progress): void {
  reported = performance.now();
  const version = versionsBefore + next.version;
  if (version === progress.version && next.pending === progress.pending) return;
  progress = { ...next, version };
  send({ is: 'progress', progress });
}

let isBringing = false;

/** Brings the wants of the index, once. */
function bringForIndex(wants: FileRequest[], from: Source): void {
  // It asks again at the end of the beginning, and then most of it has come.
  if (isBringing || isBeginning) return;
  isBringing = true;
  bring(wants, from)
    // The source says what is wrong with it; what there is stays on the page.
    .catch(() => {})
    .finally(() => {
      isBringing = false;
    });
}

function answer(core: Core, question: Waiting): void {
  const { id, query } = question;
  const name = query.query;
  if (isExamination(query)) {
    askSource(id, query);
    return;
  }
  if (source instanceof Embedded && name === 'threads') {
    // An exported page has no threads.
    settle(id, { value: { total: 0, matching: 0, rows: [] } });
    return;
  }
  const reply = core.query({ ...query, now: Date.now() });
  if (reply.wants === undefined) {
    settle(id, reply);
    return;
  }
  question.rounds += 1;
  if (question.rounds > MAX_ROUNDS || source === null) {
    settle(id, { error: unbrought(reply.wants) });
    return;
  }
  bringing.set(id, question);
  resume(question, bring(reply.wants, source));
}

/** Puts a question again once what it waits for is there. */
function resume(question: Waiting, awaited: Promise<void>): void {
  awaited.then(
    () => {
      if (!bringing.delete(question.id)) return;
      waiting.push(question);
      wake();
    },
    (error: unknown) => {
      if (!bringing.delete(question.id)) return;
      settle(question.id, { error: { code: 'io', message: messageOf(error) } });
    },
  );
}

/** While a stream comes in, most of what is wanted is on its way: a question that waits for it is asked again. */
async function bring(wants: FileRequest[], from: Source): Promise<void> {
  if (isBeginning) return begun;
  await from.bring(wants);
  taken();
}

function unbrought(wants: FileRequest[]): Failure {
  const [first] = wants;
  return { code: 'io', message: `${first?.path ?? 'A file'} could not be read: it changes faster than it is read. Try again.` };
}

function isExamination(query: Query): query is Examination {
  return query.query === 'doctor' || query.query === 'prompts' || query.query === 'rewind';
}

/** Answers questions that the core cannot. */
function askSource(id: number, question: Examination): void {
  if (source?.examine === undefined) {
    settle(id, { error: { code: 'unavailable', message: NO_SERVER } });
    return;
  }
  source.examine(question).then(
    // It quotes names of files: the core makes visible what hides in them.
    (value) => settle(id, core?.query({ query: 'shown', value }) ?? { value }),
    (error: unknown) => settle(id, { error: { code: 'io', message: messageOf(error) } }),
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function settle(id: number, { value, warnings, error }: CoreReply): void {
  send({
    is: 'reply',
    id,
    ...(value !== undefined && { value }),
    ...(warnings !== undefined && { warnings }),
    ...(error !== undefined && { error }),
  });
}

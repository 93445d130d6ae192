// Performs effects by the adapter that is named, and prints the outcomes as JSON:
// `effects.mjs ADAPTER EFFECTS`. Bytes are text on both ways. This stands where the wasm stands
// otherwise: the effects go to the adapter as numbers and bytes in memory, and so do the answers.

const [adapter, effects] = process.argv.slice(2);
const { perform } = await import(adapter);
const { EFFECTS, FAULTS, KINDS, through } = await import(new URL('../../wasm/ffi.js', adapter).href);

/** The layout of memory. */
const TEXT = 0;
const MORE = 1 << 20;
const OUTCOME = 2 << 20;
const CONTENTS = 3 << 20;
const PAGE = 65536;

const memory = new WebAssembly.Memory({ initial: (4 << 20) / PAGE });
let answered = 0;
const wasm = {
  memory,
  reserve_outcome(length) {
    answered = length;
    return OUTCOME;
  },
  shorten(length) {
    answered = length;
  },
};

console.log(JSON.stringify(JSON.parse(effects).map(outcomeOf)));

function outcomeOf({ effect, ...fields }) {
  const { text = '', more = '', number = 0, flag = 0 } = call(effect, fields);
  const [length, moreLength] = [put(TEXT, text), put(MORE, more)];
  answered = 0;
  const index = EFFECTS.indexOf(effect);
  const code = through(wasm, perform, () =>
    perform(index, TEXT, length, MORE, moreLength, number, flag),
  );
  const said = new Uint8Array(memory.buffer, OUTCOME, answered).slice();
  if (code === 0) return answer(effect, said);
  return { outcome: 'failed', fault: FAULTS[code - 1], detail: read(said) };
}

/** The arguments of the call that an effect is, as `src/surface/js/host.rs` writes them. */
function call(effect, { path, from, to, name, ...fields }) {
  const { paths, folder, names, limit, length, ms, links, access, sync, text } = fields;
  const { offset, target, isExecutable } = fields;
  const flag = Number(access === 'shared' || links === 'refuse');
  switch (effect) {
    case 'ascend':
      return { text: from, more: name };
    case 'inspect':
      return { text: paths.map((it) => `${it}\0`).join('') };
    case 'survey':
      return { text: folder, more: names.map((it) => `${it}\0`).join('') };
    case 'rename':
    case 'link':
      return { text: from, more: to };
    case 'create':
      return { text: path, more: text, number: Number(sync === 'durable'), flag };
    case 'part': {
      const more = new Uint8Array(Float64Array.of(offset).buffer);
      return { text: path, more, number: length, flag };
    }
    case 'append':
      return { text: path, more: text, flag: Number(sync === 'durable') };
    case 'symlink':
      // Bytes that are no text are listed.
      return { text: path, more: typeof target === 'string' ? target : Uint8Array.from(target) };
    case 'setMode':
      return { text: path, number: fields.permissions ?? 0o1000, flag: Number(isExecutable) };
    case 'scan':
      return { text: folder, number: limit };
    case 'countTokens':
      return { text, more: fields.encoding, number: limit };
    case 'readRecord':
      return { text: fields.record };
    case 'swapRecord': {
      const { record, expected, bytes, keep, beside } = fields;
      const all = [expected, bytes, ...beside.map((other) => other.bytes)];
      const length = (part) => (part === null ? null : Buffer.byteLength(part));
      const line = {
        record,
        expected: length(expected),
        bytes: length(bytes),
        keep,
        beside: beside.map((other) => ({ ...other, bytes: length(other.bytes) })),
      };
      // Each content has a place of its own, and the places are what goes with it.
      let at = CONTENTS;
      const places = all.filter((part) => part !== null).map((part) => {
        const place = at;
        at += put(place, part);
        return place;
      });
      return { text: JSON.stringify(line), more: new Uint8Array(Uint32Array.from(places).buffer) };
    }
    default:
      return { text: path, number: limit ?? length ?? ms, flag };
  }
}

function answer(effect, said) {
  const view = new DataView(said.buffer);
  switch (effect) {
    case 'clock':
      return { outcome: 'clock', wallMs: view.getFloat64(0, true), monotonicMs: view.getFloat64(8, true) };
    case 'random':
    case 'read':
    case 'readStart':
    case 'part':
    case 'readRecord':
      return { outcome: 'bytes', text: read(said) };
    case 'readLink':
      return { outcome: 'bytes', bytes: Array.from(said) };
    case 'ascend': {
      const [folder, below, kind] = read(said).split('\0');
      return { outcome: 'found', folder, below, kind: KINDS[kind.charCodeAt(0)] };
    }
    case 'inspect': {
      const entries = Array.from({ length: said.length / 16 }, (_, at) => {
        const mode = view.getInt32(16 * at + 4, true);
        const kind = KINDS[view.getInt32(16 * at, true)];
        const size = view.getFloat64(16 * at + 8, true);
        return mode < 0 ? { kind, size } : { kind, size, mode };
      });
      return { outcome: 'entries', entries };
    }
    case 'survey':
    case 'list': {
      const names = read(said.subarray(0, -1)).split('\0').slice(0, -1);
      return { outcome: 'names', names, complete: said.at(-1) === 1 };
    }
    case 'scan': {
      const count = view.getFloat64(0, true);
      const names = read(said.subarray(16 + 48 * count)).split('\0');
      const entries = Array.from({ length: count }, (_, at) => {
        const number = (index) => view.getFloat64(16 + 48 * at + 8 * index, true);
        const numbers = Array.from({ length: 6 }, (_, index) => number(index));
        const [kind, size, mode, modifiedMs, changedMs, inode] = numbers;
        return { name: names[at], kind: KINDS[kind], size, mode, modifiedMs, changedMs, inode };
      });
      return { outcome: 'scanned', entries, complete: view.getFloat64(8, true) === 1 };
    }
    case 'countTokens':
      return { outcome: 'counted', tokens: view.getFloat64(0, true), kept: view.getFloat64(8, true) };
    default:
      return { outcome: 'done' };
  }
}

function put(at, text) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  new Uint8Array(memory.buffer, at).set(bytes);
  return bytes.length;
}

function read(bytes) {
  return new TextDecoder().decode(bytes);
}

// The shape of what hooks get: which members a payload has, and of which types they are.

/**
 * The shape of all values of one place.
 *
 * @typedef {object} Shape
 * @property {string[]} types what the values are, each once: `string`, `number`, `boolean`, `null`, `array`, `object`
 * @property {{[name: string]: Member}} members what those that are objects have
 * @property {Shape | null} items what is in those that are arrays; null where all of them are empty
 */

/**
 * A member, and whether each of the objects has it.
 *
 * @typedef {{shape: Shape, isAlways: boolean}} Member
 */

/** @typedef {{event: string, tool: string, payload: any}} Received what a hook got: the event, and the tool of it */

/**
 * A difference from the recorded payloads in one place. Where `at` is empty it is all of the event.
 *
 * @typedef {object} Difference
 * @property {string} event with its tool, if it has one
 * @property {string} at the path of a member
 * @property {'came' | 'went' | 'changed'} change
 * @property {string} recorded the types that were recorded; empty where it came
 * @property {string} found the types that were found; empty where it went
 */

/** The words of a model, or of a script in its place: an agent hands it on, so that only its type is compared. */
const OF_THE_MODEL = ['tool_input', 'toolArgs', 'args'];

/**
 * The shape of these values.
 *
 * @param {unknown[]} values
 * @param {readonly string[]} opaque members at the top that are looked at for their type alone
 * @returns {Shape}
 */
export function shapeOf(values, opaque = []) {
  const objects = values.filter((value) => typeOf(value) === 'object');
  const items = values.filter(Array.isArray).flat();
  /** @type {{[name: string]: Member}} */
  const members = {};
  for (const name of new Set(objects.flatMap((object) => Object.keys(object)))) {
    const having = objects.filter((object) => Object.hasOwn(object, name));
    const shape = shapeOf(having.map((object) => object[name]));
    members[name] = {
      shape: opaque.includes(name) ? { types: shape.types, members: {}, items: null } : shape,
      isAlways: having.length === objects.length,
    };
  }
  return {
    types: [...new Set(values.map(typeOf))].sort(),
    members,
    items: items.length > 0 ? shapeOf(items) : null,
  };
}

/** @param {any} value */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The differences between recorded payloads and those that were found, per event and tool. A member that only some of the
 * recorded payloads have may be missing, and an event of another tool than the recorded ones is one that came.
 *
 * @param {Received[]} recorded
 * @param {Received[]} found
 * @param {string[]} expected the events, each with its tool behind it, of which there has to be one
 * @returns {Difference[]}
 */
export function differences(recorded, found, expected) {
  const [before, now] = [byEvent(recorded), byEvent(found)];
  const went = expected.filter((event) => !now.has(event));
  const all = [...now].flatMap(([event, payloads]) => {
    const known = before.get(event);
    if (known === undefined) return [{ event, at: '', change: 'came', recorded: '', found: 'object' }];
    const shapes = [known, payloads].map((values) => shapeOf(values, OF_THE_MODEL));
    return between(shapes[0], shapes[1], '').map((difference) => ({ event, ...difference }));
  });
  const gone = went.map((event) => ({ event, at: '', change: 'went', recorded: 'object', found: '' }));
  return /** @type {Difference[]} */ ([...all, ...gone]).sort((a, b) => order(a.event, b.event) || order(a.at, b.at));
}

const order = (one, other) => (one < other ? -1 : Number(one > other));

/** @param {Received[]} received */
function byEvent(received) {
  /** @type {Map<string, any[]>} */
  const all = new Map();
  for (const { event, tool, payload } of received) {
    const name = `${event} ${tool}`.trim();
    all.set(name, [...(all.get(name) ?? []), payload]);
  }
  return all;
}

/**
 * @param {Shape} recorded
 * @param {Shape} found
 * @param {string} at
 * @returns {{at: string, change: string, recorded: string, found: string}[]}
 */
function between(recorded, found, at) {
  const named = (shape) => shape.types.join(' or ');
  const all = [];
  if (found.types.some((type) => !recorded.types.includes(type))) {
    all.push({ at, change: 'changed', recorded: named(recorded), found: named(found) });
  }
  const inside = (name) => (at === '' ? name : `${at}.${name}`);
  // Where nothing is an object any more, its members have not gone one by one.
  const areObjects = found.types.includes('object') && recorded.types.includes('object');
  for (const [name, { shape, isAlways }] of areObjects ? Object.entries(recorded.members) : []) {
    const member = found.members[name];
    if (isAlways && !member?.isAlways) {
      all.push({ at: inside(name), change: 'went', recorded: named(shape), found: '' });
    }
    if (member !== undefined) all.push(...between(shape, member.shape, inside(name)));
  }
  for (const [name, { shape }] of areObjects ? Object.entries(found.members) : []) {
    if (recorded.members[name] !== undefined) continue;
    all.push({ at: inside(name), change: 'came', recorded: '', found: named(shape) });
  }
  if (recorded.items !== null && found.items !== null) {
    all.push(...between(recorded.items, found.items, `${at}[]`));
  }
  return all;
}

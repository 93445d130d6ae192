// Encrypted threads: nothing of them is readable, and what was changed, cut short or moved is refused.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { describe, expect, it } from 'vitest';

import { PLACES } from './savers.mjs';

const KEYS = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };

const encryptionWith = (keyId, more = {}) => ({ keyId, key: async (id) => KEYS[id], ...more });

for (const [place, { create, destroy }] of Object.entries(PLACES)) {
  describe(`LangGraph's suite, encrypted, in ${place}`, () => {
    const suite = {
      checkpointerName: 'milepost/langgraph',
      createCheckpointer: () => create({ encryption: encryptionWith('first') }),
      destroyCheckpointer: destroy,
    };
    validate(suite);
    deltaChannelHistoryTests(suite);
  });
}

const configOf = (thread_id) => ({ configurable: { thread_id, checkpoint_ns: '' } });
const METADATA = { source: 'loop', step: 0, parents: {}, secret: 'metadata' };

/** A checkpoint with two channels, the second of which changes. */
function checkpoint(number) {
  return {
    ...emptyCheckpoint(),
    id: `1f000000-0000-6000-8000-00000000000${number}`,
    ts: '2026-11-01T00:00:00.000Z',
    channel_values: { stays: 'secret that stays', moves: `secret ${number}` },
    channel_versions: { stays: 1, moves: number + 1 },
  };
}

/** Puts three checkpoints of two threads, and writes to the last of each. */
async function fill(saver) {
  for (const thread of ['one', 'two']) {
    let config = configOf(thread);
    for (let number = 0; number < 3; number += 1) {
      const versions = number === 0 ? { stays: 1, moves: 1 } : { moves: number + 1 };
      config = await saver.put(config, checkpoint(number), METADATA, versions);
    }
    await saver.putWrites(config, [['moves', 'secret x'], ['moves', 'secret y']], 'task');
  }
}

describe('files', () => {
  const withFolder = async (test) => {
    const { where } = PLACES.files.create();
    try {
      await test(where.storagePath, (encryption) => new MilepostSaver({ ...where, durability: 'lazy', encryption }));
    } finally {
      PLACES.files.destroy({ where });
    }
  };

  it('nothing of it is readable, and each key is asked for by its id', () =>
    withFolder(async (folder, open) => {
      await fill(open(encryptionWith('first')));
      const saver = open(encryptionWith('second'));
      const found = await saver.getTuple(configOf('one'));
      expect(found.checkpoint.channel_values).toEqual(checkpoint(2).channel_values);
      expect(found.pendingWrites).toEqual([
        ['task', 'moves', 'secret x'],
        ['task', 'moves', 'secret y'],
      ]);
      await saver.put(found.config, { ...checkpoint(3), channel_versions: { stays: 1, moves: 4 } }, METADATA, { moves: 4 });
      expect((await saver.getTuple(configOf('one'))).checkpoint.channel_values.moves).toBe('secret 3');
      const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      const text = files.map((it) => fs.readFileSync(path.join(it.parentPath, it.name), 'latin1')).join('');
      expect(text).not.toContain('secret');
      expect(text).not.toContain(btoa('secret').slice(0, 7));
      const unknown = open({ keyId: 'third', key: () => undefined });
      await expect(unknown.getTuple(configOf('one'))).rejects.toMatchObject({ code: 'usage' });
      for (const other of [{ keyId: 'first', key: () => new Uint8Array(32) }, undefined]) {
        await expect(open(other).getTuple(configOf('one'))).rejects.toMatchObject({ code: 'corrupt' });
      }
    }));

  it('without encryption it is readable', () =>
    withFolder(async (folder, open) => {
      await fill(open(undefined));
      const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      const text = files.map((it) => fs.readFileSync(path.join(it.parentPath, it.name), 'latin1')).join('');
      expect(text).toContain('secret');
    }));

  it('bytes that their maker goes on to write while the key is fetched are stored as they were put', () =>
    withFolder(async (_folder, open) => {
      for (const bytes of [new Uint8Array([1, 2, 3]), Buffer.from([1, 2, 3])]) {
        const thread = bytes.constructor.name;
        const key = async () => {
          bytes.fill(9);
          return new Uint8Array(32);
        };
        const saver = open({ keyId: 'late', key });
        const put = { ...checkpoint(1), channel_values: { moves: bytes }, channel_versions: { moves: 1 } };
        await saver.put(configOf(thread), put, METADATA, { moves: 1 });
        const found = await saver.getTuple(configOf(thread));
        expect([...found.checkpoint.channel_values.moves]).toEqual([1, 2, 3]);
      }
    }));

  it('the same checkpoint can be put again', () =>
    withFolder(async (_folder, open) => {
      const saver = open(encryptionWith('first'));
      await fill(saver);
      await fill(open(encryptionWith('first')));
      expect((await saver.getTuple(configOf('two'))).checkpoint.id).toBe(checkpoint(2).id);
    }));

  it('what was stored without encryption is read where that is asked for', () =>
    withFolder(async (_folder, open) => {
      await fill(open(undefined));
      const strict = open(encryptionWith('first'));
      await expect(strict.getTuple(configOf('one'))).rejects.toMatchObject({ code: 'corrupt' });
      const lenient = open(encryptionWith('first', { unencrypted: 'read' }));
      expect((await lenient.getTuple(configOf('one'))).checkpoint.channel_values.stays).toBe('secret that stays');
      // A copy is encrypted.
      await lenient.copyThread('one', 'three');
      expect((await strict.getTuple(configOf('three'))).checkpoint.channel_values.stays).toBe('secret that stays');
    }));

  it('a copy is encrypted for its own thread, and both go on by themselves', () =>
    withFolder(async (folder, open) => {
      const saver = open(encryptionWith('first'));
      await fill(saver);
      const all = async (reader, thread) => {
        const found = [];
        for await (const { checkpoint, metadata, pendingWrites } of reader.list(configOf(thread))) {
          found.push({ checkpoint, metadata, pendingWrites });
        }
        return found;
      };
      const origin = await all(saver, 'one');
      expect(origin.length).toBe(3);
      await saver.copyThread('one', 'three');
      await saver.deleteThread('one');
      expect(await all(saver, 'three')).toEqual(origin);
      await expect(saver.copyThread('two', 'three')).rejects.toMatchObject({ code: 'conflict', fields: ['/target'] });
      await expect(saver.copyThread('one', 'four')).rejects.toMatchObject({ code: 'not_found' });
      await expect(open(undefined).getTuple(configOf('three'))).rejects.toMatchObject({ code: 'corrupt' });

      // With the key that new values get.
      await open(encryptionWith('second')).copyThread('three', 'four');
      const second = open({ keyId: 'second', key: (id) => (id === 'second' ? KEYS.second : undefined) });
      expect(await all(second, 'four')).toEqual(origin);
      const { config } = await second.getTuple(configOf('four'));
      await second.put(config, { ...checkpoint(3), channel_versions: { stays: 1, moves: 4 } }, METADATA, { moves: 4 });
      expect((await all(second, 'four')).length).toBe(4);
      expect(await all(saver, 'three')).toEqual(origin);
    }));

  it('a copy of a thread that changes while its key is fetched has the change', () =>
    withFolder(async (_folder, open) => {
      const other = open(encryptionWith('first'));
      await fill(other);
      const { config } = await other.getTuple(configOf('one'));
      let isChanged = false;
      const key = async (id) => {
        if (!isChanged) await other.putWrites(config, [['moves', 'secret z']], 'task z');
        isChanged = true;
        return KEYS[id];
      };
      await open({ keyId: 'first', key }).copyThread('one', 'three');
      const { pendingWrites } = await other.getTuple(configOf('three'));
      expect(pendingWrites.map(([, , value]) => value)).toEqual(['secret x', 'secret y', 'secret z']);
    }));
});

/** A store in memory whose texts a test can change, in the place of a database. */
class Store {
  /** The texts of each checkpoint, by thread and id. */
  stored = new Map();
  latest = new Map();

  tasks() {}

  threads() {
    return async (operation, { thread_id, changes, text, id }) => {
      if (operation === 'put_thread') return this.#put(thread_id, changes, text);
      return { found: this.of(thread_id, id ?? this.latest.get(thread_id)) ?? null };
    };
  }

  of(thread, id) {
    return this.stored.get(`${thread} ${id}`);
  }

  #put(thread, changes, texts) {
    const queue = [...texts];
    const typed = ([kind, , encoding]) => [kind, new TextDecoder().decode(queue.shift()), ...(encoding ? [encoding] : [])];
    for (const { id, parent, namespace, task, ...change } of changes) {
      if (task !== undefined) {
        this.of(thread, id).writes.push(...change.values.map(([channel, value]) => [task, channel, typed(value)]));
        continue;
      }
      const before = this.of(thread, parent)?.values ?? [];
      const checkpoint = typed(change.checkpoint);
      const metadata = typed(change.metadata);
      const values = change.values.map(([channel, value]) => [channel, typed(value)]);
      const kept = before.filter(([channel]) => !change.changed.includes(channel));
      const tuple = { namespace, id, parent, checkpoint, metadata, values: [...kept, ...values], writes: [] };
      this.stored.set(`${thread} ${id}`, tuple);
      this.latest.set(thread, id);
    }
    return { results: changes.map(() => ({ changed: true, error: null })) };
  }
}

describe('what was moved or changed', () => {
  const latest = checkpoint(2).id;
  const valueOf = (tuple, channel) => tuple.values.find(([name]) => name === channel);
  const flip = (text) => `${text.slice(0, -6)}${text.at(-6) === 'A' ? 'B' : 'A'}${text.slice(-5)}`;

  /** Each changes what is stored of the last checkpoint of the thread `one`. */
  const CHANGES = {
    'a value of another thread': (tuple, of) => {
      valueOf(tuple, 'moves')[1] = valueOf(of('two', latest), 'moves')[1];
    },
    'an older value of the channel': (tuple, of) => {
      valueOf(tuple, 'moves')[1] = valueOf(of('one', checkpoint(1).id), 'moves')[1];
    },
    'a value of another channel': (tuple) => {
      valueOf(tuple, 'moves')[1] = valueOf(tuple, 'stays')[1];
    },
    'an older checkpoint under the id of a newer one': (tuple, of) => {
      tuple.checkpoint = of('one', checkpoint(1).id).checkpoint;
    },
    'the metadata of another checkpoint': (tuple, of) => {
      tuple.metadata = of('one', checkpoint(1).id).metadata;
    },
    'metadata in the place of a checkpoint': (tuple) => {
      tuple.checkpoint = tuple.metadata;
    },
    'another parent': (tuple) => {
      tuple.parent = checkpoint(0).id;
    },
    'another namespace': (tuple) => {
      tuple.namespace = 'sub';
    },
    'a value that was changed': (tuple) => {
      const value = valueOf(tuple, 'moves')[1];
      value[1] = flip(value[1]);
    },
    'a value that was cut short': (tuple) => {
      const value = valueOf(tuple, 'moves')[1];
      value[1] = value[1].slice(0, -8);
    },
    'a value that is nearly gone': (tuple) => {
      valueOf(tuple, 'moves')[1][1] = '/wEA';
    },
    'a forged value': (tuple) => {
      valueOf(tuple, 'moves')[1] = ['json', '"forged"'];
    },
    "two writes in each other's place": (tuple) => {
      tuple.writes.reverse();
    },
    'one write twice': (tuple) => {
      tuple.writes[1] = tuple.writes[0];
    },
    'a write of another checkpoint': (tuple, of) => {
      tuple.writes = of('two', latest).writes;
    },
  };

  for (const [name, change] of Object.entries(CHANGES)) {
    it(`${name} is refused`, async () => {
      const store = new Store();
      const saver = new MilepostSaver({ postgres: store, encryption: encryptionWith('first') });
      await fill(saver);
      const before = await saver.getTuple(configOf('one'));
      expect(before.checkpoint.channel_values.moves).toBe('secret 2');
      expect(before.pendingWrites.length).toBe(2);
      const of = (thread, id) => structuredClone(store.of(thread, id));
      change(store.of('one', latest), of);
      await expect(saver.getTuple(configOf('one'))).rejects.toMatchObject({ code: 'corrupt' });
      expect((await saver.getTuple(configOf('two'))).checkpoint.id).toBe(latest);
    });
  }

  it('two forks have no version in common', () => {
    const saver = new MilepostSaver({ encryption: encryptionWith('first') });
    const versions = Array.from({ length: 1_000 }, () => saver.getNextVersion(4.5));
    expect(new Set(versions).size).toBe(1_000);
    expect(versions.every((it) => it >= 5 && it < 6)).toBe(true);
    expect(new MilepostSaver().getNextVersion(4)).toBe(5);
  });
});

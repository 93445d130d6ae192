// A client of `milepost mcp` that speaks in raw frames, in the words of either era of the protocol.

import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { bin } from '../node/fixture.mjs';

/** The versions that clients ask for, each in the words of its era. */
export const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];
const MODERN = '2026-07-28';
/** No test takes so long; one that waits for what never comes ends. */
const LIMIT_MS = 120_000;

/** A client that is ended with its test. */
export async function connected(test, root, version = '2025-11-25') {
  const client = new Client(test, root, { version });
  await client.open();
  return client;
}

export class Client {
  #process;
  #input;
  #version;
  #id = 0;
  #output = '';
  #waiting = new Map();
  #notices = [];
  #onNotice = () => {};
  #hasEnded = false;
  #roots;

  /** The number of times that the server asked for the roots. */
  asked = 0;

  /** The frames that answer nothing that was asked. */
  strays = [];
  errors = '';

  /** The output, where that is to be no frames. */
  text = '';

  /** With `roots`, which are folders, it is a client that says where it works; `root` is the working folder. */
  constructor(test, root, options = {}) {
    const { version = '2025-11-25', program = bin, words = ['--root', root], env = {}, isText = false } = options;
    const { command = [process.execPath, program, 'mcp', ...words], stdio = 'pipe' } = options;
    this.#version = version;
    this.#roots = options.roots;
    this.#process = spawn(command[0], command.slice(1), { cwd: root, env: { ...process.env, ...env }, stdio });
    // Node closes the input of a process that ended, and no other stream.
    this.#input = this.#process.stdio[3] ?? this.#process.stdin;
    this.#input.on('error', () => {});
    this.#process.stdout.setEncoding('utf8').on('data', (text) => (isText ? (this.text += text) : this.#take(text)));
    this.#process.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text));
    this.ended = new Promise((resolve) => this.#process.on('close', (code, signal) => resolve(code ?? signal)));
    this.ended.then(() => this.#giveUp());
    const limit = setTimeout(() => {
      this.errors += 'the test takes too long';
      this.#end();
    }, LIMIT_MS);
    test.after(() => {
      clearTimeout(limit);
      this.#end();
    });
  }

  /** Also a server that is not its child ends then. */
  #end() {
    this.#process.kill('SIGKILL');
    this.#input.destroy();
  }

  get pid() {
    return this.#process.pid;
  }

  get isModern() {
    return this.#version === MODERN;
  }

  /** Opens the connection as a client of its era does; the server's description of itself. */
  async open() {
    if (this.isModern) return this.ask('server/discover');
    const clientInfo = { name: 'test', version: '1' };
    const capabilities = this.#capabilities;
    const opened = await this.ask('initialize', { protocolVersion: this.#version, capabilities, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return opened;
  }

  get #capabilities() {
    return this.#roots === undefined ? {} : { roots: { listChanged: true } };
  }

  /** The roots that it gives. */
  get listed() {
    return { roots: this.#roots.map((folder) => ({ uri: String(pathToFileURL(folder)) })) };
  }

  /** It works somewhere else from now on. */
  move(roots) {
    this.#roots = roots;
    this.send({ method: 'notifications/roots/list_changed' });
  }

  /** A request as a frame; the era's own members are put into it. */
  frame(method, params = {}, id = ++this.#id) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': this.#capabilities,
    };
    return { jsonrpc: '2.0', id, method, params: this.isModern ? { ...params, _meta } : params };
  }

  /** Asks, and returns the result; an error of the protocol is thrown. */
  async ask(method, params) {
    const { error, result } = await this.reply(this.frame(method, params));
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
  }

  /** The whole frame that answers this one. */
  reply(frame) {
    const answered = this.expect(frame.id);
    this.send(frame);
    return answered;
  }

  /** The frame that will answer this id. */
  expect(id) {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** The result of a tool. */
  call(name, given = {}) {
    return this.ask('tools/call', { name, arguments: given });
  }

  /** The answer of a tool; its text says the same. */
  async value(name, given) {
    const result = await this.call(name, given);
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    if (result.content[0].text !== JSON.stringify(result.structuredContent)) throw new Error('two answers');
    return result.structuredContent;
  }

  /** The refusal of a tool. */
  async refusal(name, given) {
    const result = await this.call(name, given);
    if (!result.isError) throw new Error(`${name} did it: ${result.content[0].text}`);
    return JSON.parse(result.content[0].text).error;
  }

  /** A frame without an answer. */
  send(frame) {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }

  /** Bytes as they are. */
  write(bytes) {
    return this.#input.write(bytes);
  }

  /** The next notice for which this holds. */
  async notice(isMeant) {
    for (;;) {
      const at = this.#notices.findIndex(isMeant);
      if (at !== -1) return this.#notices.splice(at, 1)[0];
      if (this.#hasEnded) throw new Error('the server ended without that notice');
      await new Promise((resolve) => (this.#onNotice = resolve));
    }
  }

  get notices() {
    return this.#notices;
  }

  /** Ends the input; the exit code. */
  async close() {
    this.#input.end();
    return this.ended;
  }

  /** Stops to read, as one that went does. */
  async hangUp() {
    this.#process.stdout.destroy();
    this.#input.end();
    return this.ended;
  }

  kill(signal) {
    this.#process.kill(signal);
    return this.ended;
  }

  /** Nothing more comes. */
  #giveUp() {
    this.#hasEnded = true;
    const error = { code: 0, message: 'the server ended without an answer' };
    for (const answered of this.#waiting.values()) answered({ error });
    this.#onNotice();
  }

  #take(text) {
    const lines = (this.#output + text).split('\n');
    this.#output = lines.pop();
    // A line that is not valid JSON here was no message.
    for (const line of lines) this.#sort(JSON.parse(line));
  }

  #sort(frame) {
    if (frame.method === 'roots/list') {
      this.asked += 1;
      return this.send({ id: frame.id, result: this.listed });
    }
    if ('method' in frame) {
      this.#notices.push(frame);
      return this.#onNotice();
    }
    const answered = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    if (answered === undefined) this.strays.push(frame);
    else answered(frame);
  }
}

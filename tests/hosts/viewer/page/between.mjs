// A gate between a page and its server, which decides what comes through when: an answer that is kept back, a
// connection that is cut, a server that knows nothing of what it is asked for.

import * as http from 'node:http';
import { LIMIT_MS } from '../drive/watch.mjs';

const CHANGES = '/api/changes';

export class Between {
  /** In front of a server, until the end of the test. */
  static async of(t, server) {
    const between = new Between(server.origin);
    const { address, port } = await between.#listen();
    t.after(() => between.#end());
    between.origin = `http://${address}:${port}`;
    between.address = server.address.replace(server.origin, between.origin);
    return between;
  }

  #server = http.createServer((request, response) => this.#pass(request, response));
  #upstream;
  /** An act that happens once to the next request that a pattern fits. */
  #plans = [];
  #streams = new Set();
  /** All messages to pages about changes, as text. */
  #messages = '';
  #listens = 0;
  #asked = [];
  #waiting = new Set();

  constructor(origin) {
    this.#upstream = new URL(origin);
  }

  /**
   * Keeps back the second half of the next answer to such a request, or what comes after a line, which is made to
   * its end all the same.
   *
   * @param {RegExp} pattern
   * @param {string} [line] something that stands in it
   * @returns {{made: Promise<void>, release: () => void}}
   */
  hold(pattern, line) {
    const plan = { pattern, line, made: later(), released: later() };
    this.#plans.push(plan);
    return { made: within(plan.made.promise, `a request for ${pattern}`), release: plan.released.resolve };
  }

  /** Answers the next such request with 404; resolves when it has. */
  refuse(pattern) {
    const plan = { pattern, made: later() };
    this.#plans.push(plan);
    return within(plan.made.promise, `a request for ${pattern}`);
  }

  /** Cuts the connections by which pages hear of changes. */
  cut() {
    for (const stream of this.#streams) stream.destroy();
  }

  /** The requests so far that a pattern fits. */
  asked(pattern) {
    return this.#asked.filter((url) => pattern.test(url));
  }

  /** Does something, and waits until pages get a message about a path after that. */
  async telling(path, act) {
    const from = this.#messages.length;
    await act();
    await this.#until(`${path} is in a message`, () => this.#messages.includes(path, from));
  }

  /** Waits until a page has come again since something was done. */
  async listening(act) {
    const before = this.#listens;
    await act();
    await this.#until('a page listens again', () => this.#listens > before);
  }

  #listen() {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(this.#server.address())));
  }

  #end() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #until(what, isSo) {
    const { promise, resolve } = later();
    const look = () => {
      if (!isSo()) return;
      this.#waiting.delete(look);
      resolve();
    };
    this.#waiting.add(look);
    look();
    return within(promise, what);
  }

  #happened() {
    for (const look of [...this.#waiting]) look();
  }

  #pass(request, response) {
    const { url } = request;
    this.#asked.push(url);
    const at = this.#plans.findIndex(({ pattern }) => pattern.test(url));
    const [plan] = at === -1 ? [] : this.#plans.splice(at, 1);
    if (plan !== undefined && plan.released === undefined) {
      response.writeHead(404).end();
      plan.made.resolve();
      return;
    }
    const headers = { ...request.headers, host: this.#upstream.host };
    const asked = http.get({ ...place(this.#upstream), path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      if (plan !== undefined) void keepBack(answer, response, plan);
      else if (url === CHANGES) this.#tell(answer, response);
      else answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
  }

  #tell(answer, response) {
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    answer.setEncoding('utf8').on('error', () => {});
    answer.on('data', (text) => {
      response.write(text);
      this.#messages += text;
      this.#happened();
    });
    answer.on('close', () => response.destroy());
    this.#listens += 1;
    this.#happened();
  }
}

const place = ({ hostname, port }) => ({ host: hostname, port });

async function keepBack(answer, response, { line, made, released }) {
  const parts = [];
  for await (const part of answer) parts.push(part);
  const all = Buffer.concat(parts);
  const end = line === undefined ? Math.floor(all.length / 2) : all.indexOf('\n', all.indexOf(line)) + 1;
  response.write(all.subarray(0, end));
  made.resolve();
  await released.promise;
  response.end(all.subarray(end));
}

function later() {
  let resolve;
  let reject;
  const promise = new Promise((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** Ends the test where something never comes, and names it. */
function within(promise, what) {
  const { promise: late, reject } = later();
  const limit = setTimeout(() => reject(new Error(`it never came to this: ${what}`)), LIMIT_MS);
  // A test that has failed before waits for nothing more.
  limit.unref();
  return Promise.race([promise, late]).finally(() => clearTimeout(limit));
}

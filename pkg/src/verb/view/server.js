// The local server: the page, and what it shows, for browsers of this machine alone. It changes nothing.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { codeOf } from '../../host/node/fault.js';
import { sentence } from '../../base/messages.js';
import { visible } from '../../base/visible.js';
import { Guard, HEADERS } from './guard.js';
import { Listeners } from './listeners.js';
import { Refusal } from '../../client/operations.js';
import { Reader } from './reader.js';
import { NAME, withProgram } from './words.js';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

/**
 * @typedef {object} Options
 * @property {object} place where operations work
 * @property {string} [program] the words that start it
 * @property {import('../../host/database/reach.js').Named} [store] the database whose mirror the place is
 * @property {string} version
 * @property {number | null} port `null` for any that is free
 * @property {string} pages the folder of the page's files
 * @property {string} thread the file of the thread that looks
 */

/** The time after which it ends once the last page left, in ms. */
const IDLE_MS = 30 * 60_000;
/** A port that is free may be taken under the other address. */
const ATTEMPTS = 20;
/** The addresses of this machine alone; without the second, names that lead there are not answered. */
const [FIRST, SECOND] = ['127.0.0.1', '::1'];
const BAD_REQUEST = 400;
const TOO_LARGE = 431;

const SCRIPT = 'text/javascript; charset=utf-8';
const WASM = 'application/wasm';

/** The page's files, by what they are asked as. */
const PAGES = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/app.js': { file: 'app.js', type: SCRIPT },
  '/chunk.js': { file: 'chunk.js', type: SCRIPT },
  '/pages.js': { file: 'pages.js', type: SCRIPT },
  '/worker.js': { file: 'worker.js', type: SCRIPT },
  '/viewer.wasm': { file: 'viewer.wasm', type: WASM },
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
};

/** The tag that says how the page was opened. */
const SHAPE = /(<meta name="milepost-shape" content=")[a-z]+(")/;

const JSON_TYPE = 'application/json; charset=utf-8';

export class ViewServer {
  #options;
  /** @type {Map<string, {bytes: Buffer, type: string}>} */
  #pages;
  /** @type {http.Server[]} */
  #servers = [];
  #guard = new Guard(0);
  #port = 0;
  /** @type {Reader | undefined} */
  #reader;
  /** @type {Map<string, Promise<string>>} the examinations in progress, by what is examined */
  #examinations = new Map();
  /** @type {Set<Reader>} */
  #examiners = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #idle;
  #isEnding = false;
  #enter = () => {};
  #end = () => {};
  #listeners = new Listeners((count) => {
    if (this.#isEnding) return;
    this.#reader?.ask('watch', { isWanted: count > 0 }).catch(() => {});
    this.#touch();
  });

  /** Resolves when its address has let a page in, and lets in no other. @type {Promise<void>} */
  entered = new Promise((resolve) => {
    this.#enter = resolve;
  });

  /** Resolves when it has ended. @type {Promise<void>} */
  ended = new Promise((resolve) => {
    this.#end = resolve;
  });

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#pages = pagesIn(options.pages, options.program ?? NAME);
  }

  /** The address that is opened in a browser; it lets in once. */
  get address() {
    return `http://${FIRST}:${this.#port}/#token=${this.#guard.token}`;
  }

  get port() {
    return this.#port;
  }

  /** The command that starts another one. */
  get #command() {
    return `${this.#options.program ?? NAME} view`;
  }

  /**
   * Begins to listen.
   *
   * @throws {Refusal} where there is no place to look at
   */
  async start() {
    const { port } = this.#options;
    try {
      await this.#ask().ask('begin');
      await this.#listenSomewhere(port);
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#guard = new Guard(this.#port);
    this.#touch();
  }

  /** @param {number | null} port */
  async #listenSomewhere(port) {
    for (let attempt = 1; this.#servers.length === 0; attempt++) {
      try {
        await this.#listen(port ?? 0);
      } catch (error) {
        if (port !== null || codeOf(error) !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** @param {number} port */
  async #listen(port) {
    const first = await listening(this.#server(), FIRST, port);
    this.#port = /** @type {import('node:net').AddressInfo} */ (first.address()).port;
    try {
      this.#servers = [first, await listening(this.#server(), SECOND, this.#port)];
    } catch (error) {
      const isTaken = codeOf(error) === 'EADDRINUSE';
      if (isTaken) await new Promise((resolve) => first.close(resolve));
      if (isTaken) throw error;
      // There is no such address here.
      this.#servers = [first];
    }
  }

  #server() {
    const server = http.createServer({ requireHostHeader: false }, (request, response) => this.#take(request, response));
    const take = (/** @type {Request} */ request, /** @type {Response} */ response) => this.#take(request, response);
    server.on('checkContinue', take).on('checkExpectation', take);
    // There is nothing that a connection could become.
    server.on('upgrade', (_, socket) => refuse(socket, BAD_REQUEST));
    server.on('connect', (_, socket) => refuse(socket, BAD_REQUEST));
    server.on('clientError', (error, socket) => {
      refuse(socket, codeOf(error) === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : BAD_REQUEST);
    });
    return server;
  }

  /** Ends it, regardless of connections. */
  async stop() {
    if (this.#isEnding) return this.ended;
    this.#isEnding = true;
    clearTimeout(this.#idle);
    const closing = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    this.#listeners.dropAll();
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(closing);
    await Promise.all([this.#reader, ...this.#examiners].map((reader) => reader?.end()));
    this.#end();
  }

  /** Notes that a page is there. */
  #touch() {
    clearTimeout(this.#idle);
    if (this.#isEnding || this.#listeners.count > 0) return;
    this.#idle = setTimeout(() => void this.stop(), IDLE_MS);
  }

  /**
   * @param {Request} request
   * @param {Response} response
   */
  #take(request, response) {
    // A page that went has what it wanted.
    response.on('error', () => {});
    request.resume();
    this.#answer(request, response).catch((error) => {
      if (response.headersSent) return response.destroy();
      const failure = error instanceof Refusal ? error.error : { code: 'io', message: sentence(error) };
      deny(response, 500, failure.code, failure.message);
    });
  }

  /**
   * @param {Request} request
   * @param {Response} response
   */
  async #answer(request, response) {
    const { method, url = '' } = request;
    if (!this.#guard.isMeant(request)) return deny(response, 403, 'forbidden', 'This host is not served here');
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return deny(response, 405, 'method_not_allowed', 'Nothing can be changed here: expected GET or HEAD');
    }
    const page = this.#pages.get(url);
    if (page !== undefined) return send(response, 200, page.type, page.bytes);
    if (!url.startsWith('/api/')) return deny(response, 404, 'not_found', 'There is no such page');
    if (!this.#guard.isOwn(request)) return deny(response, 403, 'forbidden', 'No other page gets anything here');
    if (url === '/api/session') return this.#session(request, response);
    if (!this.#guard.isLetIn(request)) {
      return deny(response, 401, 'unauthorized', `Open the address that \`${this.#command}\` printed`);
    }
    this.#touch();
    return this.#data(url, response);
  }

  /**
   * @param {Request} request
   * @param {Response} response
   */
  #session(request, response) {
    // Only who gets the page is let in.
    const cookie = hasBody(response) ? this.#guard.exchange(request) : null;
    if (cookie === null && !this.#guard.isLetIn(request)) {
      const message = `This address has been used, or is of another run: \`${this.#command}\` prints a new one`;
      return deny(response, 401, 'unauthorized', message);
    }
    this.#touch();
    if (cookie !== null) {
      response.setHeader('Set-Cookie', cookie);
      this.#enter();
    }
    send(response, 200, JSON_TYPE, JSON.stringify({ port: this.#port }));
  }

  /**
   * @param {string} url
   * @param {Response} response
   */
  async #data(url, response) {
    if (url === '/api/files') return this.#stream(response, 'files');
    if (url === '/api/changes') return this.#follow(response);
    if (url === '/api/doctor') return send(response, 200, JSON_TYPE, await this.#examine('doctor'));
    if (url === '/api/prompts') return send(response, 200, JSON_TYPE, await this.#examine('prompts'));
    const to = /^\/api\/prompts\/([\w-]+)$/.exec(url)?.[1];
    if (to !== undefined) return send(response, 200, JSON_TYPE, await this.#examine('rewind', { to }));
    const ids = /^\/api\/content\/([\w-]+(?:,[\w-]+)*)$/.exec(url)?.[1];
    if (ids !== undefined) return this.#stream(response, 'contents', { ids: ids.split(',') });
    deny(response, 404, 'not_found', 'There is no such thing here');
  }

  #ask() {
    if (this.#reader?.isThere) return this.#reader;
    if (this.#isEnding) throw new Error('The server ends');
    const { thread, place, program, version, store } = this.#options;
    const reader = new Reader(
      thread,
      { place, program, version, store },
      (changes) => this.#listeners.send(changes),
      // Its ids went with it.
      () => this.#listeners.dropAll(),
    );
    this.#reader = reader;
    return reader;
  }

  /**
   * @param {Response} response
   * @param {string} what
   * @param {object} [members]
   */
  async #stream(response, what, members) {
    const pieces = await this.#ask().stream(what, members);
    if (pieces === null) return deny(response, 404, 'not_found', 'There is no such file here');
    head(response, 200, 'application/octet-stream');
    for await (const piece of pieces) {
      if (response.destroyed) return;
      if (!hasBody(response)) break;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  }

  /** @param {Response} response */
  #follow(response) {
    head(response, 200, 'text/event-stream; charset=utf-8');
    if (!hasBody(response)) return void response.end();
    this.#ask();
    this.#listeners.add(response);
  }

  /**
   * An examination takes seconds: all that ask for the same one during it get it.
   *
   * @param {string} what
   * @param {object} [members]
   */
  #examine(what, members = {}) {
    const name = JSON.stringify([what, members]);
    const begun = this.#examinations.get(name);
    if (begun !== undefined) return begun;
    const examination = this.#examined(what, members).finally(() => this.#examinations.delete(name));
    this.#examinations.set(name, examination);
    return examination;
  }

  /**
   * @param {string} what
   * @param {object} members
   * @returns {Promise<string>} JSON
   */
  async #examined(what, members) {
    const { thread, place, program, version } = this.#options;
    // It waits for writers or looks at the whole work tree, and is not waited for: it has a thread of its own.
    const examiner = new Reader(thread, { place, program, version });
    this.#examiners.add(examiner);
    try {
      return await examiner.ask(what, members);
    } finally {
      this.#examiners.delete(examiner);
      await examiner.end();
    }
  }
}

/**
 * @param {string} folder
 * @param {string} program
 */
function pagesIn(folder, program) {
  const pages = Object.entries(PAGES).map(([url, { file, type }]) => {
    const bytes = fs.readFileSync(path.join(folder, file));
    const isMain = file === 'index.html';
    const own = isMain ? Buffer.from(ownPage(bytes.toString(), program)) : bytes;
    return /** @type {const} */ ([url, { bytes: own, type }]);
  });
  return new Map(pages);
}

/**
 * The page with what it was opened as, and with the words that start the program.
 *
 * @param {string} page
 * @param {string} program
 */
function ownPage(page, program) {
  return withProgram(page, program).replace(SHAPE, '$1server$2');
}

/**
 * @param {http.Server} server
 * @param {string} host
 * @param {number} port
 * @returns {Promise<http.Server>}
 */
function listening(server, host, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/**
 * @param {Response} response
 * @returns {Promise<void>} when more can be written, or the page has left
 */
function drained(response) {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/**
 * Returns true where the answer has more than its head.
 *
 * @param {Response} response
 */
function hasBody(response) {
  return response.req.method !== 'HEAD';
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} type
 */
function head(response, status, type) {
  response.writeHead(status, { ...HEADERS, 'Content-Type': type });
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} type
 * @param {Buffer | string} content
 */
function send(response, status, type, content) {
  response.setHeader('Content-Length', Buffer.byteLength(content));
  head(response, status, type);
  response.end(content);
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} code
 * @param {string} message
 */
function deny(response, status, code, message) {
  send(response, status, JSON_TYPE, JSON.stringify({ error: { code, message: visible(message) } }));
}

/**
 * Refuses a request that cannot be answered.
 *
 * @param {import('node:stream').Duplex} socket
 * @param {number} status
 */
function refuse(socket, status) {
  if (!socket.writable) return socket.destroy();
  const lines = Object.entries({ ...HEADERS, Connection: 'close', 'Content-Length': '0' });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${text}\r\n`);
}

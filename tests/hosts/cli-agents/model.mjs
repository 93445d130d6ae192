// A model server on the loopback: it plays a script, and keeps what it was asked.

import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';

/**
 * One thing that a model answers: a sentence, or a call of a tool with JSON or with text as its input.
 *
 * @typedef {{text: string} | {tool: string, input: object | string, namespace?: string}} Part
 */

/** @returns {Part} */
export const says = (text) => ({ text });

/** @returns {Part} */
export const calls = (tool, input) => ({ tool, input });

/**
 * The answer to a step of the agent's work: what the model says and calls, also by what it was asked, or the HTTP
 * status of a failure.
 *
 * @typedef {Part[] | number | ((asked: any) => Part[])} Answer
 */

/** @typedef {{type: string, body: string}} Reply */

/**
 * The messages between an agent and its model.
 *
 * @typedef {object} Wire
 * @property {(url: string, asked: any) => boolean} isStep whether a request is a step of the work; the others are
 *   what an agent asks beside it: a title, a count of tokens, a summary
 * @property {(asked: any) => boolean} [isOfSubagent] whether one that works beside the agent asks for a step
 * @property {(parts: Part[], number: number, asked: any) => Reply} answer
 * @property {(url: string, asked: any) => Reply} aside
 */

/**
 * Starts one, which ends with the test. It is the proxy for everything else too, and refuses it.
 *
 * @param {import('node:test').TestContext} test
 * @param {Wire} wire
 */
export async function startModel(test, wire) {
  /** @type {Answer[]} */
  const script = [];
  /** @type {Answer[]} */
  const scriptOfSubagent = [];
  /** @type {{url: string, asked: any}[]} */
  const steps = [];
  /** @type {{url: string, asked: any}[]} */
  const asides = [];
  /** @type {string[]} */
  const refused = [];

  const server = http.createServer(async (request, response) => {
    const { host, url } = divided(request.url ?? '');
    const asked = parsed(await bodyOf(request));
    if (host !== undefined && host !== here()) {
      refused.push(host);
      return send(response, 403, json({}));
    }
    if (!wire.isStep(url, asked)) {
      asides.push({ url, asked });
      return send(response, 200, wire.aside(url, asked));
    }
    steps.push({ url, asked });
    const next = wire.isOfSubagent?.(asked) ? scriptOfSubagent.shift() : script.shift();
    const answer = typeof next === 'function' ? next(asked) : (next ?? [says('The script is over.')]);
    if (typeof answer === 'number') {
      return send(response, answer, json({ error: { type: 'invalid_request_error', message: 'as the script says' } }));
    }
    send(response, 200, wire.answer(answer, steps.length, asked));
  });
  const port = () => /** @type {net.AddressInfo} */ (server.address()).port;
  const here = () => `127.0.0.1:${port()}`;
  server.on('connect', ({ url }, socket, head) => {
    // Some agents ask the proxy for everything, also for this server.
    if (url === here()) return connect(port(), socket, head);
    refused.push(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://${here()}`, script, scriptOfSubagent, steps, asides, refused };
}

/** @typedef {Awaited<ReturnType<typeof startModel>>} Model */

/** The URL of a request to a server, or of one to a proxy, which has the host that is meant. */
function divided(url) {
  if (!/^https?:/.test(url)) return { host: undefined, url };
  const { host, pathname, search } = new URL(url);
  return { host, url: `${pathname}${search}` };
}

/** Hands bytes on between an agent and this server, of which it is the proxy too. */
function connect(port, socket, head) {
  const inner = net.connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    inner.write(head);
    inner.pipe(socket).pipe(inner);
  });
  for (const end of [socket, inner]) {
    end.on('error', () => {});
    end.on('close', () => void [socket, inner].forEach((other) => other.destroy()));
  }
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(body) {
  return body.startsWith('{') ? JSON.parse(body) : {};
}

/** @param {Reply} reply */
function send(response, status, { type, body }) {
  // Of a failure: that another try is of no use.
  response.writeHead(status, { 'content-type': type, 'x-should-retry': 'false' }).end(body);
}

/**
 * Server-sent events that have a name.
 *
 * @param {[name: string, data: object][]} all
 * @returns {Reply}
 */
export function events(all) {
  const lines = all.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  return { type: 'text/event-stream', body: lines.join('') };
}

/** @returns {Reply} */
export function json(value) {
  return { type: 'application/json', body: JSON.stringify(value) };
}

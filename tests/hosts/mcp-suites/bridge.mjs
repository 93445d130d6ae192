// `milepost mcp` over HTTP, for testers that speak nothing else: a process for each session of the first era, and one
// for all requests of the second era, which have no session.
//
//   node bridge.mjs BIN ROOT
//
// The port is the first line of standard output; it ends with its input.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { createInterface } from 'node:readline';

const [bin, root] = process.argv.slice(2);
const MODERN = '2026-07-28';
const SESSION = 'mcp-session-id';
const LISTEN = 'subscriptions/listen';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
/** The status of HTTP for an error of the second era, where that is not 200. */
const STATUS = { [-32601]: 404, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400 };

/** One server process. Ids are its own on the way to it, because clients do not know of each other. */
class Served {
  #process = spawn(process.execPath, [bin, 'mcp', '--root', root], { stdio: ['pipe', 'pipe', 'inherit'] });
  #last = 0;
  /** The waiting answer for the frame of an id. */
  #waiting = new Map();
  /** The destinations of notices: by the id of a subscription, or all of them. */
  streams = new Map();

  constructor() {
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#sort(JSON.parse(line)));
  }

  ask(frame) {
    const id = (this.#last += 1);
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.send({ ...frame, id });
    return { id, answered: answered.then((answer) => ({ ...answer, id: frame.id })) };
  }

  send(frame) {
    this.#process.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  end() {
    this.#process.stdin.end();
  }

  #sort(frame) {
    if (!('method' in frame)) {
      this.#waiting.get(frame.id)?.(frame);
      return void this.#waiting.delete(frame.id);
    }
    const id = frame.params?._meta?.[SUBSCRIPTION];
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (id !== undefined) frame.params._meta[SUBSCRIPTION] = stream.id;
    stream.response.write(event(frame));
  }
}

/** A process that knows which era it is of, as HTTP says by a header: by its first request. */
function modern() {
  const served = new Served();
  const _meta = { [VERSION]: MODERN, [CAPABILITIES]: {} };
  served.ask({ jsonrpc: '2.0', method: 'tools/list', params: { _meta } });
  return served;
}

const event = (frame) => `event: message\ndata: ${JSON.stringify(frame)}\n\n`;

const sessions = new Map();
let shared;

const server = http.createServer(async (request, response) => {
  const served = sessions.get(request.headers[SESSION]);
  if (request.method === 'DELETE' && served !== undefined) {
    sessions.delete(request.headers[SESSION]);
    served.end();
    return void response.writeHead(204).end();
  }
  if (request.method === 'GET' && served !== undefined) return stream(response, served, undefined, null);
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST, GET, DELETE' }).end();
  await post(await frameOf(request), request, response);
});

/** The frame that was posted; undefined where the body is no frame. */
async function frameOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function post(frame, request, response) {
  if (frame === undefined) return fail(response, 400, null, -32700, 'Parse error');
  const isModern = frame.params?._meta?.[VERSION] !== undefined || request.headers['mcp-protocol-version'] === MODERN;
  if (frame.method === 'initialize' && !isModern) return initialize(frame, response);
  const id = request.headers[SESSION];
  if (id !== undefined && !isModern && !sessions.has(id)) return fail(response, 404, frame.id, -32001, 'Session not found');
  if (id === undefined && !isModern) return fail(response, 400, frame.id, -32000, 'No session');
  const served = isModern ? (shared ??= modern()) : sessions.get(id);
  if (frame.id === undefined) {
    served.send(frame);
    return void response.writeHead(202).end();
  }
  const { id: own, answered } = served.ask(frame);
  if (frame.method === LISTEN) {
    stream(response, served, own, frame.id);
    return void response.end(event(await answered));
  }
  const answer = await answered;
  reply(response, (isModern && STATUS[answer.error?.code]) || 200, answer);
}

async function initialize(frame, response) {
  const id = randomUUID();
  const served = new Served();
  sessions.set(id, served);
  reply(response, 200, await served.ask(frame).answered, { [SESSION]: id });
}

/** Notices, as long as a client listens. */
function stream(response, served, own, id) {
  served.streams.set(own, { response, id });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.on('close', () => {
    served.streams.delete(own);
    if (own === undefined) return;
    served.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: own } });
  });
}

function reply(response, status, frame, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(frame));
}

function fail(response, status, id, code, message) {
  reply(response, status, { jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();

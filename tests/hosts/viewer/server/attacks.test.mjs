// Requests that any client may send to the local server, row by row: each attack with the answer that it gets.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { after, before, describe, test } from 'node:test';

import { get, milepost, project, raw, request, served, visitor } from './fixture.mjs';

/** Of every answer of any kind. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];
const DATA = [
  ...['/api/session', '/api/files', '/api/doctor', '/api/changes', '/api/content/x'],
  ...['/api/prompts', '/api/prompts/chk-20260305-111700'],
];
const SCRIPTS = ['/app.js', '/chunk.js', '/pages.js', '/worker.js'];
const STATIC = ['/', ...SCRIPTS, '/viewer.wasm', '/style.css'];

function assertGuarded({ headers }, what) {
  for (const [name, value] of Object.entries(HEADERS)) assert.equal(headers[name], value, `${what}: ${name}`);
  const rules = (headers['content-security-policy'] ?? '').split('; ');
  for (const rule of POLICY) assert.ok(rules.includes(rule), `${what}: ${rule}`);
  const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  assert.deepEqual(allowing, [], what);
}

describe('a server', () => {
  let server;
  let own;
  let host;
  const ends = [];
  const scope = { after: (end) => ends.push(end) };

  before(async () => {
    const { root } = await project(scope);
    server = await served(scope, root);
    host = `127.0.0.1:${server.port}`;
    own = await visitor(server);
  });
  after(() => {
    for (const end of ends.reverse()) end();
  });

  const send = (url, { more = [], ...how } = {}) => {
    return raw(server, request(url, { host, ...how, more: [`Cookie: ${own.cookie}`, ...more] }));
  };

  test('a name of another site that leads to this machine is refused', async () => {
    const { port } = server;
    for (const other of [
      ...[`evil.example:${port}`, `127.0.0.1.nip.io:${port}`, '127.0.0.1', 'localhost', `127.0.0.1:${port + 1}`],
      ...[`127.0.0.1:0${port}`, `127.0.0.2:${port}`, `0.0.0.0:${port}`, `[::]:${port}`, `localhost.:${port}`, ''],
      ...[`LOCALHOST:${port}.evil.example`, `127.1:${port}`, `2130706433:${port}`, `evil.example@127.0.0.1:${port}`],
      null,
    ]) {
      for (const url of ['/', '/app.js', '/api/files', '/nothing']) {
        const answer = await send(url, { host: other });
        assert.equal(answer.status, 403, `${other} ${url}`);
        assertGuarded(answer, `${other} ${url}`);
      }
    }
  });

  test('a second Host is refused', async () => {
    assert.equal((await send('/', { more: ['Host: evil.example'] })).status, 403);
    assert.equal((await send('/', { host: 'evil.example', more: [`Host: ${host}`] })).status, 403);
  });

  test('a whole address in the request line does not lead past the list of hosts', async () => {
    const { status } = await send(`http://evil.example/`);
    assert.equal(status, 404);
    assert.equal((await send(`http://${host}/api/files`)).status, 404);
  });

  test('a name of this machine is accepted', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      assert.equal((await send('/', { host: `${name}:${server.port}` })).status, 200, name);
    }
  });

  test('a page of another site gets no data', async () => {
    for (const header of [
      ...['Origin: https://evil.example', 'Origin: null', `Origin: https://${host}`, 'Origin: http://127.0.0.1'],
      ...[`Origin: http://localhost:${server.port}`, `Origin: http://${host}.evil.example`, 'Origin:'],
      ...['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Site: none'],
    ]) {
      for (const url of DATA) {
        const answer = await send(url, { more: [header] });
        assert.equal(answer.status, 403, `${header} ${url}`);
        assertGuarded(answer, `${header} ${url}`);
      }
    }
  });

  test('the page of the server itself gets data', async () => {
    for (const more of [[`Origin: http://${host}`], ['Sec-Fetch-Site: same-origin']]) {
      assert.equal((await send('/api/files', { more })).status, 200, more[0]);
    }
  });

  test('a preflight is answered without leave', async () => {
    for (const url of [...DATA, ...STATIC]) {
      const more = ['Origin: https://evil.example', 'Access-Control-Request-Method: GET'];
      const answer = await send(url, { method: 'OPTIONS', more: [...more, 'Access-Control-Request-Private-Network: true'] });
      assert.equal(answer.status, 405, url);
      assertGuarded(answer, url);
    }
  });

  test('a client without the cookie gets no data', async () => {
    const [name, value] = own.cookie.split('=');
    for (const cookie of [
      ...['', `${name}=`, `${name}=x`, `${name}=${value.slice(0, -1)}`, `${name}=${value}x`, `x${name}=${value}`],
      ...[`${name}=${value.toUpperCase()}.`, `other=${value}`, value, `milepost-1=${value}`],
    ]) {
      for (const url of ['/api/files', '/api/doctor', '/api/changes', '/api/content/x', '/api/nothing']) {
        const answer = await raw(server, request(url, { host, more: [`Cookie: ${cookie}`] }));
        assert.equal(answer.status, 401, `${cookie} ${url}`);
        assertGuarded(answer, `${cookie} ${url}`);
        assert.ok(!answer.body.includes('design'), cookie);
      }
    }
  });

  test('a cookie that another server of this machine put beside the own one does not lock its page out', async () => {
    const name = own.cookie.split('=')[0];
    const { status } = await get(server, '/api/files', { cookie: `${name}=other; ${own.cookie}` });
    assert.equal(status, 200);
  });

  test('a wrong token, or one that was used, lets no client in', async () => {
    for (const authorization of [
      ...['', 'Bearer', 'Bearer ', 'Bearer x', `Bearer ${server.token}`, `Basic ${server.token}`],
      ...[`Bearer ${server.token}x`, server.token, `Bearer ${server.token} `],
    ]) {
      const answer = await raw(server, request('/api/session', { host, more: [`Authorization: ${authorization}`] }));
      assert.equal(answer.status, 401, authorization);
      assert.equal(answer.headers['set-cookie'], undefined);
      assertGuarded(answer, authorization);
    }
  });

  test('the token in a query lets no client in', async () => {
    const other = await served(scope, (await project(scope)).root);
    const at = { host: `127.0.0.1:${other.port}` };
    assert.equal((await raw(other, request(`/?token=${other.token}`, at))).status, 404);
    assert.equal((await raw(other, request(`/api/session?token=${other.token}`, at))).status, 401);
    await visitor(other);
  });

  test('the token and the cookie cannot be guessed, nor read by scripts', async () => {
    const other = await served(scope, (await project(scope)).root);
    assert.ok(Buffer.from(other.token, 'base64url').length >= 16);
    assert.notEqual(other.token, server.token);
    const { headers } = await get(other, '/api/session', { authorization: `Bearer ${other.token}` });
    const [cookie, ...attributes] = headers['set-cookie'][0].split('; ');
    assert.ok(cookie.startsWith(`milepost-${other.port}=`));
    assert.ok(Buffer.from(cookie.split('=')[1], 'base64url').length >= 16);
    assert.ok(!cookie.includes(other.token));
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Strict']);
  });

  test('a path leads to no file', async () => {
    for (const url of [
      ...['/file?path=/etc/passwd', '/api/file?path=/etc/passwd', '/api/content/..%2f..%2fetc%2fpasswd', '/..%2f..'],
      ...['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/api/content/%00', '/app.js%00', '/api/content/', '/%'],
      ...['/api/content/../../.claude/state/design-checkpoint.json', '/api/content//etc/passwd', '//etc/passwd'],
      ...['/.claude/state/design-checkpoint.json', '/index.html', '/package.json', '/app.js?x', '/api/files/', '/API/files'],
      ...['/api/content/x', '/api/content/0', '/api/content/constructor', '/api/content/__proto__', '/api/content/,', '*'],
    ]) {
      const answer = await send(url);
      assert.equal(answer.status, 404, url);
      assertGuarded(answer, url);
      assert.ok(!answer.body.includes('root:'), url);
    }
  });

  test('a NUL or a line break within a request leads nowhere', async () => {
    for (const url of ['/api/content/a\0b', '/app.js\0']) {
      const answer = await send(url);
      assert.ok([400, 404].includes(answer.status), `${answer.status}`);
      assertGuarded(answer, url);
    }
  });

  test('an id of another run leads to no file', async () => {
    const other = await served(scope, (await project(scope)).root);
    const frames = await (await visitor(other)).frames('/api/files');
    const id = frames.find(({ header }) => header.file !== undefined).header.id;
    assert.ok(id.length > 0);
    assert.equal((await own.get(`/api/content/${id}`)).status, 404);
  });

  test('one id that is known lets no unknown one pass', async () => {
    const frames = await own.frames('/api/files');
    const { id } = frames.find(({ header }) => header.file !== undefined).header;
    assert.equal((await own.get(`/api/content/${id}`)).status, 200);
    assert.equal((await own.get(`/api/content/${id},x`)).status, 404);
  });

  test('nothing can be changed', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      for (const url of [...DATA, ...STATIC]) {
        const answer = await send(url, { method, more: ['Content-Length: 0'] });
        assert.equal(answer.status, 405, `${method} ${url}`);
        assert.equal(answer.headers.allow, 'GET, HEAD');
        assertGuarded(answer, `${method} ${url}`);
      }
    }
  });

  test('a HEAD is answered as a GET, without a body, and lets no client in', async () => {
    for (const url of ['/api/session', '/api/files', '/api/changes', ...STATIC]) {
      const answer = await send(url, { method: 'HEAD' });
      assert.deepEqual([answer.status, answer.body], [200, ''], url);
      assertGuarded(answer, url);
    }
    const page = await send('/', { method: 'HEAD' });
    const whole = await own.get('/');
    assert.equal(page.headers['content-length'], String(whole.body.length));
    assert.equal((await raw(server, request('/api/files', { method: 'HEAD', host }))).status, 401);
    const other = await served(scope, (await project(scope)).root);
    const letIn = { method: 'HEAD', host: `127.0.0.1:${other.port}`, more: [`Authorization: Bearer ${other.token}`] };
    assert.equal((await raw(other, request('/api/session', letIn))).status, 401);
    await visitor(other);
  });

  test('no connection is upgraded or tunnelled', async () => {
    const more = ['Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
    const upgrade = `GET /api/changes HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n${more.join('\r\n')}\r\n\r\n`;
    for (const text of [upgrade, `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: ${host}\r\n\r\n`]) {
      const answer = await raw(server, text);
      assert.equal(answer.status, 400);
      assertGuarded(answer, text);
    }
  });

  test('a malformed request is answered with the headers', async () => {
    for (const text of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`]) {
      const answer = await raw(server, text);
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`);
      assertGuarded(answer, text.slice(0, 20));
    }
  });

  test('every answer has each header', async () => {
    for (const url of STATIC) {
      const answer = await send(url);
      assert.equal(answer.status, 200, url);
      assertGuarded(answer, url);
    }
    for (const url of ['/api/session', '/api/files', '/api/doctor']) {
      const answer = await own.get(url);
      assert.equal(answer.status, 200, url);
      assertGuarded(answer, url);
    }
  });

  test('a file of the page has no data of the project in it', async () => {
    for (const url of STATIC) {
      const { body } = await get(server, url);
      assert.ok(!body.includes('It is known') && !body.includes(server.token), url);
    }
    const { body } = await get(server, '/');
    assert.match(body.toString(), /<meta name="milepost-shape" content="server"/);
  });

  const needsProc = { skip: !fs.existsSync('/proc/net/tcp') && 'who listens where is read from /proc' };
  test('no other machine can connect', needsProc, async () => {
    const hex = server.port.toString(16).toUpperCase().padStart(4, '0');
    // The second is not there without IPv6.
    const files = ['tcp', 'tcp6'].map((name) => `/proc/net/${name}`).filter((file) => fs.existsSync(file));
    const listening = files.flatMap((file) =>
      fs.readFileSync(file, 'utf8').split('\n').filter((line) => / 0A /.test(line) && line.includes(`:${hex} 0`)),
    );
    assert.ok(listening.length > 0);
    for (const line of listening) {
      const [, address] = line.trim().split(/\s+/);
      assert.ok(['0100007F', '00000000000000000000000001000000'].includes(address.split(':')[0]), address);
    }
  });

  test('the token is not printed where output is kept', async () => {
    await own.get('/api/files');
    assert.equal(server.printed.stderr.includes(server.token), false);
    assert.equal(server.printed.stdout.split(server.token).length - 1, 1);
  });

  test('a request that is never finished does not hold others up', async () => {
    const sockets = Array.from({ length: 50 }, () => net.connect({ host: '127.0.0.1', port: server.port }));
    for (const socket of sockets) socket.on('error', () => {}).write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`);
    assert.equal((await own.get('/api/files')).status, 200);
    for (const socket of sockets) socket.destroy();
  });

  test('no option lets other machines in', async () => {
    const { root } = await project(scope);
    for (const words of [['--host', '0.0.0.0'], ['--port', '65536']]) {
      const { code } = await milepost(root, 'view', ...words);
      assert.equal(code, 64, words.join(' '));
    }
  });
});

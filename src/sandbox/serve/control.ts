import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { orThrow } from '../../base/errors/errors.js';
import { randomBytes } from '../../base/random.js';
import { parseSpan } from '../../base/time/spans.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { zoneOf } from '../../base/time/zones.js';
import { advanceInSlices, afterSpan } from '../automation/clock.js';
import { type ApiAccount, addAccount, listAccounts, readPermissions, switchAccount } from '../rules/accounts.js';
import { isItem, type Value } from '../store/item-values.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { isMeant, readBody } from './incoming.js';
import { faultsOf, parseFaults, seededRandom, type Trouble } from './injected-faults.js';

interface Scope {
  readonly opened: OpenedSandbox;
  readonly trouble: Trouble;
  readonly hosts?: readonly string[] | undefined;
}

/** A fault in a request to the control server. */
class Wrong extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Handler = (scope: Scope, body: Value, id: string) => Value | Promise<Value>;

/** Method and path of every request; `{}` is an id, a name or a key. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET /clock': ({ opened }) => clock(opened),
  'POST /clock': moveClock,
  'GET /faults': ({ trouble }) => faults(trouble),
  'POST /faults': setFaults,
  'GET /keys': ({ opened }) => ({ keys: listAccounts(opened.database).map(shownAccount) }),
  'POST /keys': addKey,
  'POST /keys/{}/disable': (scope, _body, id) => switchKey(scope, id, false),
  'POST /keys/{}/enable': (scope, _body, id) => switchKey(scope, id, true),
};

/**
 * A server next to the sandbox's that moves its clock and changes its faults and keys. Requests must carry the token,
 * which a page in a browser cannot send.
 */
export function controlServer(scope: Scope): { server: Server; token: string } {
  const token = randomBytes(24).toString('hex');
  const server = createServer((request, response) => {
    answer(scope, token, request)
      .then((body) => send(response, 200, body))
      .catch((error: unknown) => {
        const status = error instanceof Wrong ? error.status : 500;
        send(response, status, { message: error instanceof Error ? error.message : String(error) });
      });
  });
  return { server, token };
}

async function answer(scope: Scope, token: string, request: IncomingMessage): Promise<Value> {
  const text = await readBody(request);
  if (!isMeant(request, scope.hosts)) throw new Wrong(421, 'The control server does not answer to that name.');
  if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
    throw new Wrong(
      401,
      'The control server needs Authorization: Bearer and the token that cops sandbox serve printed.',
    );
  const path = (request.url ?? '/').replace(/\?.*$/s, '').replace(/(.)\/+$/, '$1');
  const [, id = ''] = /^\/keys\/([^/]+)\//.exec(path) ?? [];
  const name = `${request.method} ${id ? path.replace(`/${id}/`, '/{}/') : path}`;
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (!handler)
    throw new Wrong(404, `There is no ${request.method} ${path}; use one of ${Object.keys(HANDLERS).join(', ')}.`);
  return handler(scope, bodyOf(text), decoded(id));
}

/** @throws Wrong for an invalid percent-encoding of UTF-8 */
function decoded(word: string): string {
  return orThrow(
    () => decodeURIComponent(word),
    () => new Wrong(400, `${word} is not encoded correctly: two hexadecimal digits must follow each %.`),
  );
}

function isSame(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function bodyOf(text: string | undefined): Value {
  if (text === undefined) throw new Wrong(413, 'The body is too large.');
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isItem(body)) return body;
  } catch {}
  throw new Wrong(400, 'The body must be a JSON object.');
}

function send(response: ServerResponse, status: number, body: Value): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function clock(opened: OpenedSandbox): Value {
  const now = Math.floor(opened.now() / 1000);
  return { now: isoTime(now), now_unix: now, clock_offset_seconds: Math.round(opened.offset() / 1000) };
}

/** `{"advance": "40d"}`, or `{"set": "2026-12-31"}` in UTC or unix seconds. */
async function moveClock({ opened }: Scope, { advance, set, ...rest }: Value): Promise<Value> {
  checkNames(rest);
  if ((advance === undefined) === (set === undefined)) throw new Wrong(400, 'Give exactly one of advance and set.');
  const now = Math.floor(opened.now() / 1000);
  const target = attempt(() =>
    advance !== undefined
      ? afterSpan(now, parseSpan(String(advance), 'advance'))
      : typeof set === 'number'
        ? set
        : parseWhen(String(set), { now: now * 1000, zone: zoneOf('UTC'), edge: 'start', option: 'set', look: 'ahead' }),
  );
  if (!Number.isSafeInteger(target) || target < now) throw new Wrong(400, "The sandbox's clock only goes forward.");
  const events = await advanceInSlices(opened, target);
  return { ...clock(opened), events };
}

/** What is still to come, in the form that `setFaults` takes. */
function faults({ faults: now }: Trouble): Value {
  const shown: Value = {};
  for (const { kind, share, left, path } of now) {
    if (left === 0) continue;
    const much = left === undefined ? share : `${left}x`;
    const how = path === undefined ? much : `${much}@${path}`;
    shown[kind] = kind in shown ? [shown[kind], how].flat() : how;
  }
  return { faults: shown };
}

/**
 * `{"faults": {"429": 0.1, "503": "3x@sales"}, "seed": 7}`; a kind takes a list too. Faults not named stop; a seed
 * restarts its sequence.
 */
function setFaults({ trouble }: Scope, { faults: wanted = {}, seed, ...rest }: Value): Value {
  checkNames(rest);
  if (!isItem(wanted))
    throw new Wrong(400, 'faults must be an object with a share or a number of calls for each kind.');
  const read = parseFaults(faultsOf(wanted));
  if (typeof read === 'string') throw new Wrong(400, read);
  if (seed !== undefined && (typeof seed !== 'number' || !Number.isSafeInteger(seed)))
    throw new Wrong(400, 'seed must be a whole number.');
  trouble.faults = read;
  if (typeof seed === 'number') trouble.random = seededRandom(seed);
  return faults(trouble);
}

/**
 * `{"name": "Import", "live": false, "permissions": ["invoice:create"]}`; without permissions the key may do
 * everything.
 */
function addKey({ opened }: Scope, { name = 'added', live = false, permissions, ...rest }: Value): Value {
  checkNames(rest);
  if (typeof name !== 'string' || typeof live !== 'boolean')
    throw new Wrong(400, 'name must be a text, live must be true or false.');
  if (permissions !== undefined && !Array.isArray(permissions)) throw new Wrong(400, 'permissions must be a list.');
  const names = permissions && readPermissions((permissions as unknown[]).map(String));
  if (typeof names === 'string') throw new Wrong(400, names);
  const now = Math.floor(opened.now() / 1000);
  return shownAccount(addAccount(opened.database, { name, live, permissions: names, now }));
}

function switchKey({ opened }: Scope, word: string, enabled: boolean): Value {
  const found = switchAccount(opened.database, word, enabled);
  if (found.length > 1) throw new Wrong(400, `${found.length} keys are called ${word}: give the id of one.`);
  if (!found[0]) throw new Wrong(404, `No added key is called ${word}; the sandbox's own keys cannot be changed.`);
  return shownAccount(found[0]);
}

/** An account as the control server and the command show it. */
export function shownAccount({ id, name, key, live, enabled, permissions }: ApiAccount): Value {
  return { id, name, key, mode: live ? 'live' : 'test', enabled, permissions: permissions ?? 'all' };
}

function checkNames(rest: Value): void {
  const [name] = Object.keys(rest);
  if (name !== undefined) throw new Wrong(400, `${name} is unknown here.`);
}

function attempt<T>(read: () => T): T {
  return orThrow(read, (error) => new Wrong(400, error instanceof Error ? error.message : String(error)));
}

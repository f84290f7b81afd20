import { jsonOf } from '../../base/errors/errors.js';
import { type ApiAccount, accountOf } from '../rules/accounts.js';
import { type Call, success } from '../rules/call.js';
import { invalid, notJson, Refusal, resetting, unauthorised, unexpected, wrongMethod } from '../rules/refusals.js';
import { type Durable, durableLog } from '../store/durable.js';
import { GroupCommit } from '../store/group.js';
import type { ItemStore } from '../store/item-store.js';
import { isItem, toText, type Value } from '../store/item-values.js';
import { answerList, type ListMemory } from '../store/lists.js';
import type { OpenedSandbox } from '../store/open-store.js';
import type { PrebuiltJson } from '../store/prebuilt-json.js';
import { idMaker } from '../store/seeded-ids.js';
import { recordCall } from '../store/stored-record.js';
import type { Incoming, Outgoing } from './messages.js';
import { findRoute, type Route } from './routes.js';
import type { RuleBook } from './rule-book.js';

/** Deeper than any body of the service; a text may nest more deeply than a program can follow. */
const DEEPEST = 64;

/**
 * Reads the body of a request.
 * @throws Refusal 400: E0208 for a body that is not JSON (service.md#errors), another code for one that no operation
 * can use: not an object, nested too deeply, or with numbers out of range.
 */
function parseBody(text: string | undefined): Value {
  if (text === undefined || text.trim() === '') return {};
  const body: unknown = jsonOf(text, () => notJson('The body is not valid JSON.'));
  if (!isItem(body)) throw invalid('The body must be a JSON object.');
  checkValues(body, 1);
  return body;
}

function checkValues(content: object, depth: number): void {
  if (depth > DEEPEST) throw invalid(`The body is nested more than ${DEEPEST} levels deep.`);
  for (const [name, value] of Object.entries(content)) {
    if (name === '__proto__') throw invalid('A property cannot be called __proto__.');
    if (typeof value === 'number') checkNumber(name, value);
    else if (typeof value === 'object' && value !== null) checkValues(value, depth + 1);
  }
}

function checkNumber(name: string, value: number): void {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw invalid(`${name} is out of range.`);
}

export interface ServiceOptions extends Pick<OpenedSandbox, 'store' | 'moment' | 'isReady' | 'functionThread'> {
  /** Whether the ends of a date range belong to it (the spec does not say). */
  readonly rangeEnds?: 'in' | 'out' | undefined;
  /**
   * Whether the sandbox serves many clients for long: the clock may lag while many due tasks run (`Passing`), and
   * changes are on the disk before they are answered.
   */
  readonly isServed?: boolean;
}

/** `close`: ends the thread of functions, if it was started. */
export type Service = ReturnType<typeof createService>;

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** The service without a transport: a request in, an answer out, all state in the store. */
export function createService(options: ServiceOptions) {
  const service = new SandboxService(options);
  return { handle: (request: Incoming) => service.handle(request), close: () => service.close() };
}

class SandboxService implements Service {
  readonly #memory: ListMemory = new Map();
  readonly #log: Durable | undefined;
  readonly #commits: GroupCommit;
  /** The last group that was found ready to be written. */
  #ready = 0;
  #opened: Promise<RuleBook> | undefined;
  readonly #newId = idMaker();

  constructor(private readonly options: ServiceOptions) {
    this.#log = options.isServed ? durableLog(options.store.database) : undefined;
    this.#commits = new GroupCommit(options.store, this.#log);
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
    try {
      this.#commits.finish();
    } finally {
      await this.#log?.close();
    }
  }

  async handle(request: Incoming): Promise<Outgoing> {
    const options = this.options;
    const { store } = options;
    let now: number | undefined;
    const time = () => {
      now ??= options.moment().unix;
      return now;
    };
    const newId = this.#newId;
    const callId = newId();
    let account: ApiAccount | undefined;
    let route: Route | undefined;
    let recorded = false;
    const facts = (status: number, text: string) => ({ store, now: time(), callId, request, route, status, text });
    const record = (status: number, text: string) => {
      recorded = true;
      if (account) recordCall({ ...facts(status, text), account });
    };
    const recordLater = async (status: number, text: string) => {
      if (!account || recorded) return;
      const call = { ...facts(status, text), account };
      // Refuses to write to data that another process is recreating.
      const work = () => this.#isReady() && recordCall(call);
      await (options.isServed ? this.#commits.note(work) : this.#commits.run(work, false));
    };
    try {
      if (request.method !== 'GET' && request.method !== 'POST') throw wrongMethod(request.method);
      if (request.path === '/openapi.json' && request.method === 'GET') {
        const { describeSandbox } = await import('./description.js');
        return { status: 200, headers: JSON_HEADERS, body: await describeSandbox() };
      }
      account = authenticate(store, request.key);
      // service.md#lists: a read has no body, but an empty form is tolerated.
      if (request.method === 'GET' && request.body?.trim()) throw invalid('A GET operation takes no body.');
      const body = request.method === 'POST' ? parseBody(request.body) : {};
      route = await findRoute(request.method, request.path);
      authorise(account, route);
      const asked = { ...route, store, callId, account, live: account.live, newId, query: request.query, body };
      const at = (moment: number): Call => {
        now = moment;
        return { ...asked, now };
      };
      const text =
        request.method === 'POST' ? await (await this.#book()).change(at, record) : await this.#read(at, route);
      // Answers of reads are not kept, so their text is not needed.
      await recordLater(200, typeof text === 'string' ? text : '');
      return { status: 200, headers: JSON_HEADERS, body: text };
    } catch (error) {
      const refusal = error instanceof Refusal ? error : unexpected(error);
      const text = toText({ api_call_id: callId, api_call_unix: time(), ...refusal.fields });
      if (refusal.fields.api_call_processed !== false) await recordLater(refusal.status, text);
      const headers = refusal.status === 405 ? { ...JSON_HEADERS, allow: 'GET, POST' } : JSON_HEADERS;
      return { status: refusal.status, headers, body: text };
    }
  }

  /** Checked once per group, because nobody else writes meanwhile. */
  #isReady(): boolean {
    const { number } = this.#commits;
    if (this.#ready === number) return true;
    const isReady = this.options.isReady();
    if (isReady) this.#ready = number;
    return isReady;
  }

  /** Most of the sandbox's code: loaded by the first request that is not a plain list. */
  #book(): Promise<RuleBook> {
    this.#opened ??= import('./rule-book.js').then(
      ({ RuleBook }) =>
        new RuleBook({
          ...this.options,
          commits: this.#commits,
          checkReady: () => {
            if (!this.#isReady()) throw resetting();
          },
          list: (call) => this.#list(call),
        }),
    );
    return this.#opened;
  }

  #list(call: Call): string | PrebuiltJson {
    return answerList(call, { memory: this.#memory, rangeEnds: this.options.rangeEnds ?? 'in' });
  }

  /** @param at makes the call for a moment, unix seconds. */
  async #read(at: (now: number) => Call, { family, operation }: Route): Promise<string | PrebuiltJson> {
    const { moment, store } = this.options;
    // No rule applies to lists of a range.
    const book = operation.list?.style === 'windowed' ? undefined : await this.#book();
    if (family.name === 'api_calls') this.#commits.finish();
    let passed: number | undefined;
    for (;;) {
      // Several queries must see one state, whatever other processes write meanwhile.
      store.database.exec('BEGIN');
      let due: number;
      try {
        const { unix, isDue, isReady } = moment();
        if (!isReady) throw resetting();
        if (!isDue || passed !== undefined) {
          const call = at(passed ?? unix);
          return success(call, book ? book.answer(call) : this.#list(call));
        }
        due = unix;
      } finally {
        store.database.exec('COMMIT');
      }
      passed = await (await this.#book()).until(due);
    }
  }
}

function authenticate(store: ItemStore, key: string | undefined): ApiAccount {
  if (key === undefined || key === '') throw unauthorised('The header x-api-key is missing.');
  const account = accountOf(store.database, key);
  if (!account) throw unauthorised('The API key is not valid.');
  if (!account.enabled) throw unauthorised('The API key is disabled.');
  return account;
}

/**
 * service.md#permissions: a restricted key may do what its permissions name; where the spec names none, it may only
 * read. reading: estimate-permission
 */
function authorise(account: ApiAccount, { operation }: Route): void {
  if (!account.permissions) return;
  const needed = operation.permission;
  const allowed = needed ? account.permissions.includes(needed) : operation.method === 'GET';
  if (!allowed) throw unauthorised(`The API key may not do this${needed ? ` (${needed})` : ''}.`);
}

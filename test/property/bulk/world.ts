import type { Trail } from '../../../src/account/history/types.js';
import { type JournalFile, journalInFile } from '../../../src/account/journal/journal.js';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import type { JournalState } from '../../../src/account/journal/state.js';
import type { Journal } from '../../../src/account/journal/types.js';
import type { Processes } from '../../../src/base/files/lock.js';
import { type Reply, type ServiceRequest, type Transport, TransportError } from '../../../src/base/transport.js';
import type { Comparison } from '../../../src/bulk/compare-history.js';
import { type RowEnd, type RunSummary, runRows } from '../../../src/bulk/engine.js';
import type { PlannedRow } from '../../../src/bulk/types.js';
import { write } from '../../../src/service/http/send-write.js';
import { ServiceClock } from '../../../src/service/http/service-clock.js';

const HOUR = 3_600_000;

/** A small generator with a seed: the same seed gives the same run. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Faults {
  /** Shares of all requests. */
  readonly dropBefore: number;
  readonly dropAfter: number;
  readonly notSent: number;
  readonly throttled: number;
  readonly broken: number;
  readonly halfBody: number;
  readonly refused: number;
  readonly declined: number;
  /** Refused before the key is looked at. */
  readonly early: number;
}

/** A service written from the spec: what it did, and which keys it remembers, by its own clock. */
export class Service {
  readonly executed = new Map<string, number>();
  readonly #keys = new Map<string, number>();
  readonly #roll: () => number;
  constructor(
    readonly faults: Faults,
    roll: () => number,
    readonly clock: () => number,
  ) {
    this.#roll = roll;
  }

  handle(request: ServiceRequest, credential: string): Reply {
    const { faults } = this;
    const roll = this.#roll();
    const body = JSON.parse(request.body ?? '{}') as { idempotency_key?: string };
    let at = 0;
    /** Whether the roll falls into the next share of the faults. */
    const falls = (share: number): boolean => {
      at += share;
      return roll < at;
    };
    if (falls(faults.throttled)) return this.#reply(429, { code: 0, message: 'slow down', result: 'error' });
    if (falls(faults.notSent)) throw new TransportError('not_sent', 'ECONNREFUSED', 'refused');
    if (falls(faults.dropBefore)) throw new TransportError('lost', 'ECONNRESET', 'reset');
    if (falls(faults.early))
      return this.#reply(400, { code: 0, error_code: 'E0208', message: 'early', result: 'error' });
    const key = body.idempotency_key === undefined ? undefined : `${credential} ${body.idempotency_key}`;
    if (key !== undefined) {
      const seen = this.#keys.get(key);
      if (seen !== undefined && this.clock() - seen < 24 * HOUR) {
        return this.#reply(400, { code: 0, error_code: 'E0583', message: 'duplicate', result: 'error' });
      }
      this.#keys.set(key, this.clock());
    }
    if (falls(faults.refused))
      return this.#reply(400, { code: 0, error_code: 'E0001', message: 'no', result: 'error' });
    if (falls(faults.declined)) return this.#reply(402, { code: 2, message: 'declined', result: 'error' });
    this.executed.set(request.path, (this.executed.get(request.path) ?? 0) + 1);
    if (falls(faults.dropAfter)) throw new TransportError('lost', 'ECONNRESET', 'reset');
    if (falls(faults.broken)) return this.#reply(500, { code: 0, message: 'oops' });
    if (falls(faults.halfBody)) return { status: 200, headers: {}, body: Buffer.from('{"api_call_id":"ab') };
    return this.#reply(200, { api_call_id: 'c'.repeat(20), code: 1, result: 'success' });
  }

  /** An answer to a read: it tells the service's time. */
  time(): Reply {
    return this.#reply(200, { code: 1 });
  }

  #reply(status: number, body: object): Reply {
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ api_call_unix: Math.floor(this.clock() / 1000), ...body })),
    };
  }
}

/** A file that forgets what was not synced when the machine dies. */
export class Disk {
  content: Buffer = Buffer.alloc(0);
  #synced = 0;
  constructor(readonly path = '/tmp/cops-property/run.journal') {}

  file(machine: Machine): JournalFile {
    return {
      path: this.path,
      size: async () => this.content.length,
      read: async function* (this: Disk) {
        yield this.content;
      }.bind(this),
      lines: async function* () {},
      truncate: async (size) => {
        this.content = this.content.subarray(0, size);
        this.#synced = size;
      },
      append: async () => ({
        write: (bytes) => {
          // Of a machine that is dead nothing more is written.
          if (!machine.dead) this.content = Buffer.concat([this.content, bytes]);
          return bytes.length;
        },
        datasync: async () => {
          const upTo = this.content.length;
          await machine.step();
          this.#synced = Math.max(this.#synced, upTo);
          await machine.step();
        },
        close: async () => {},
      }),
    };
  }

  /** The power goes: any part of what was not synced is lost, in the middle of a line too. */
  lose(roll: () => number): void {
    const keep = this.#synced + Math.floor(roll() * (this.content.length - this.#synced + 1));
    this.content = this.content.subarray(0, keep);
    this.#synced = keep;
  }
}

/** One process: everything it waits for goes through `step`, where it may die. */
export class Machine {
  dead = false;
  readonly died: Promise<void>;
  #tellDeath: () => void = () => {};
  constructor(
    readonly roll: () => number,
    /** Steps until it dies; -1 for never. */
    private left: number,
  ) {
    this.died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
  }

  async step(): Promise<void> {
    for (let turns = Math.floor(this.roll() * 3); turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    if (this.left >= 0 && --this.left < 0) {
      this.dead = true;
      this.#tellDeath();
    }
    // What is dead waits for ever.
    if (this.dead) await new Promise(() => {});
  }
}

const processes: Processes = { self: { pid: 1, started: 's', host: 'h' }, state: () => 'gone' };

export const ROWS = 24;

/** What equal writes of a row share: hex. */
export function tagOf(row: number): string {
  return row.toString(16).padStart(16, '0').padEnd(24, '0');
}

async function* rows(): AsyncIterable<Iterable<PlannedRow>> {
  for (let row = 1; row <= ROWS; row++) {
    const id = `row${String(row).padStart(17, '0')}`;
    yield [{ row, line: row, ids: [id], body: {}, tag: tagOf(row) }];
  }
}

export const HEADER: JournalHeader = {
  type: 'header',
  version: 2,
  id: 'j',
  created: new Date(1_800_000_000_000).toISOString(),
  profile: 'p',
  base_url: 'b',
  mode: 'test',
  family: 'subscriptions',
  action: 'cancel',
  risk: 'irreversible',
  credential: 'key-1',
  input: { kind: 'list', sha256: 's' },
  templates: [],
  rows: ROWS,
  keyless: false,
};

export interface RunFacts {
  readonly disk: Disk;
  readonly service: Service;
  readonly machine: Machine;
  readonly credential: string;
  readonly now: () => number;
  readonly first: boolean;
  readonly keyless: boolean;
  readonly mint: () => string;
  readonly ends?: (end: RowEnd) => void;
  /** Where the locks of runs are. */
  readonly folder?: string;
  /** The process table; by itself every other process is gone. */
  readonly processes?: Processes;
  /** What the run knows beside its journal, once it holds the lock. */
  readonly guard?: (journal: Journal) => Promise<{ readonly history: Trail; readonly compared: Comparison }>;
  readonly soft?: AbortSignal;
  readonly hard?: AbortSignal;
  readonly maxFailures?: number;
}

const never = new AbortController().signal;

/** One process works on the journal until it is through or dies. */
export async function work(facts: RunFacts): Promise<RunSummary | 'died'> {
  const { disk, machine, service, credential, now } = facts;
  const file = disk.file(machine);
  const alive = (async () => {
    const clock = new ServiceClock();
    const options = {
      now,
      processes: facts.processes ?? processes,
      runsDir: `${facts.folder ?? '/tmp/cops-property'}/runs`,
    };
    const header = { ...HEADER, keyless: facts.keyless };
    const journal = facts.first
      ? await journalInFile(file, options).create(header)
      : await journalInFile(file, options).open(header.id, credential);
    const guard = await facts.guard?.(journal);
    // A run that goes on with open rows asks the service for its time before anything else.
    if (guard) clock.note(service.time(), now());
    const transport: Transport = {
      async send(request) {
        // A request is on its way even when its sender dies.
        await new Promise((resolve) => setImmediate(resolve));
        let reply: Reply | undefined;
        let fault: unknown;
        try {
          reply = service.handle(request, credential);
        } catch (error) {
          fault = error;
        }
        await machine.step();
        if (!reply) throw fault;
        if (guard) clock.note(reply, now());
        return reply;
      },
      close: async () => {},
    };
    const summary = await runRows({
      journal,
      rows: rows(),
      what: 'run',
      credential,
      concurrency: 4,
      stop: { soft: facts.soft ?? never, hard: facts.hard ?? never },
      now,
      ...(facts.maxFailures === undefined ? {} : { maxFailures: facts.maxFailures }),
      ...(guard ? { ...guard, clock } : {}),
      mint: () => (facts.keyless ? undefined : facts.mint()),
      send: (row, key, signal, doubt) => {
        const body = JSON.stringify(key === undefined ? {} : { idempotency_key: key });
        return write(
          transport,
          { method: 'POST', path: `/${row.ids[0]}`, query: [], body },
          {
            timeoutMs: 1000,
            maxRetries: 2,
            now,
            sleep: () => machine.step(),
            random: machine.roll,
            hasKey: key !== undefined,
            signal,
            ...(doubt ? { keyDoubt: doubt } : {}),
          },
        );
      },
      ...(facts.ends ? { onEnd: facts.ends } : {}),
    });
    await journal.close();
    return summary;
  })();
  const end = await Promise.race([alive, machine.died.then(() => 'died' as const)]);
  if (end === 'died') disk.lose(machine.roll);
  return end;
}

export async function stateOf(disk: Disk): Promise<JournalState> {
  const machine = new Machine(() => 0, -1);
  return (await journalInFile(disk.file(machine), { now: () => 0, runsDir: '/tmp/cops-property/runs' }).scan()).state;
}

/** What must be true of every row whatever happened; throws with the row that breaks it. */
export function checkClaims(state: JournalState, service: Service): void {
  for (let row = 1; row <= ROWS; row++) {
    const path = `/row${String(row).padStart(17, '0')}`;
    const times = service.executed.get(path) ?? 0;
    const stand = state.stand(row);
    if (times > 1) throw new Error(`row ${row} was executed ${times} times (${stand})`);
    if (stand === 'done' && times !== 1) throw new Error(`row ${row} is told as done, but was never executed`);
    const nothing = ['refused', 'payment_failed', 'not_sent', 'rate_limited', 'not_started'].includes(stand);
    if (nothing && times !== 0) throw new Error(`row ${row} is told as ${stand}, but was executed`);
  }
}

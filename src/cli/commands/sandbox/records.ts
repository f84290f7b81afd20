import { before, noneWithin, parseSpan } from '../../../base/time/spans.js';
import { zoneOf } from '../../../base/time/zones.js';
import type { Column } from '../../../catalogue/types.js';
import { Item } from '../../../items/json/item-json.js';
import type { Stored } from '../../../sandbox/serve/index.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, openedSandbox } from '../../../session/context/opened-sandbox.js';
import { noDryRun } from '../../../session/context/run.js';
import type { SandboxCommandOptions } from './spec.js';

type Needs = Opener & Pick<Context, 'notes'>;

/** Time between two checks, milliseconds. */
const LOOK_MS = 500;

/** A record of the sandbox's automations: where it is stored and how it is shown. */
interface Kind {
  readonly family: string;
  readonly columns: readonly Column[];
  /** Word for these records in the note that none exist. */
  readonly word: string;
  belongs(item: Stored, options: SandboxCommandOptions): boolean;
}

const created: Column = { path: 'created_date_unix', title: 'when', as: 'time' };
const mode: Column = { path: 'live_mode', title: 'live', as: 'flag' };

export const EVENT_COLUMNS: readonly Column[] = [
  created,
  mode,
  { path: 'notation' },
  { path: 'item_type', title: 'item type' },
  { path: 'item_id', title: 'item id', whole: true },
];

const KINDS: Readonly<Record<'events' | 'runs' | 'outbox', Kind>> = {
  events: {
    family: 'site_events',
    columns: EVENT_COLUMNS,
    word: 'account event',
    belongs: ({ value }, { notation }) => value.type === 'account_event' && isBelow(value.notation, notation),
  },
  runs: {
    family: 'function_runs',
    columns: [
      created,
      mode,
      { path: 'function.name', title: 'function' },
      { path: 'event_source', title: 'source' },
      { path: 'notation' },
      { path: 'status', as: 'status' },
      { path: 'result' },
      { path: 'error' },
    ],
    word: 'run of a function',
    belongs: ({ value }, { notation }) => isBelow(value.notation, notation),
  },
  outbox: {
    family: 'smtp_messages',
    columns: [
      created,
      mode,
      { path: 'status', as: 'status' },
      { path: 'to' },
      { path: 'subject' },
      { path: 'notation' },
      { path: 'error' },
    ],
    word: 'mail',
    belongs: ({ value }, { notation }) => isBelow(value.notation, notation),
  },
};

function isBelow(name: unknown, notation: string | undefined): boolean {
  return notation === undefined || name === notation || String(name).startsWith(`${notation}.`);
}

/** `cops sandbox events`, `runs` and `outbox`: what happened in both modes, oldest first. */
export async function sandboxRecords(
  context: Needs,
  kind: keyof typeof KINDS,
  options: SandboxCommandOptions,
): Promise<Done> {
  const { catchUp } = await import('../../../sandbox/serve/index.js');
  const { world } = context;
  const { family, columns, word, belongs } = KINDS[kind];
  const span = parseSpan(options.last ?? '1d', '--last');
  // A trial run blocks all other writers, so it cannot go on forever.
  if (options.follow && context.options.dryRun) throw noDryRun(`sandbox ${kind} --follow`);
  const opened = await openedSandbox(context);
  await catchUp(opened);
  const now = Math.floor(opened.now() / 1000);
  const window = { start: before(now, span, zoneOf(world.zone)), end: now };
  let shown = 0;
  async function* items(): AsyncGenerator<Item> {
    let last = opened.store.lastFiled();
    const isShown = (item: Stored) => {
      last = Math.max(last, item.seq);
      if (belongs(item, options)) shown++;
      return belongs(item, options);
    };
    try {
      const modes = [false, true].map((live) => opened.store.scan(family, live, window));
      for (const item of inOrder(modes)) if (isShown(item)) yield Item.of(item.value);
      while (options.follow) {
        await world.sleep(LOOK_MS, world.interrupted);
        await catchUp(opened);
        const fresh = [false, true].flatMap((live) => opened.store.filedAfter(family, live, last));
        for (const item of fresh.sort((one, other) => one.seq - other.seq))
          if (isShown(item)) yield Item.of(item.value);
      }
    } finally {
      opened.database.close();
    }
  }
  const live = options.follow ? ({ live: true } as const) : {};
  return {
    result: { shape: 'list', items: items(), columns, idField: 'id', shares: true, ...live },
    finish: () => {
      if (shown === 0) context.notes.note(noneWithin(word, options.last ?? '1d'));
      return undefined;
    },
  };
}

/** Items of both modes in the order in which they were stored. */
function* inOrder(modes: readonly Generator<Stored>[]): Generator<Stored> {
  const heads = modes.map((one) => one.next());
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      const best = heads[first];
      if (!head.done && (first < 0 || (best && !best.done && head.value.seq < best.value.seq))) first = index;
    }
    const head = heads[first];
    if (!head || head.done) return;
    yield head.value;
    heads[first] = (modes[first] as Generator<Stored>).next();
  }
}

import { existsSync } from 'node:fs';
import { CopsError, local, stopped, usage, Would, wrongOption } from '../../../base/errors/errors.js';
import { oneOf } from '../../../base/errors/nearest.js';
import { cops, joinedTexts, say, type Text } from '../../../base/text/command-line.js';
import { lengthSaid } from '../../../base/time/spans.js';
import { isoTime } from '../../../base/time/units.js';
import { TEST_CARDS } from '../../../catalogue/terms.js';
import { counted } from '../../../items/text/numbered.js';
import { group } from '../../../items/text/width.js';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../../sandbox/serve/embedded-keys.js';
import type { countItems } from '../../../sandbox/serve/index.js';
import { Meter } from '../../../screen/meter.js';
import { atOnce } from '../../../screen/notes.js';
import type { Context, Done } from '../../../session/context/context.js';
import { sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { bySubcommand, one } from '../../../session/context/run.js';
import { wholeNumber } from '../../../session/context/typed-words.js';
import { sandboxAnswers } from './answers.js';
import { sandboxKeys } from './api-accounts.js';
import { sandboxRecords } from './records.js';
import { sandboxSeed } from './sandbox-seed.js';
import { sandboxSnapshot } from './sandbox-snapshots.js';
import type { SandboxCommandOptions } from './spec.js';
import { sandboxTrigger } from './trigger.js';

type Needs = Pick<Context, 'world' | 'notes' | 'dataDir' | 'configDir' | 'options' | 'prompter' | 'settings' | 'shown'>;

/** `cops sandbox reset`: creates the data again; anything there before is lost. */
async function sandboxReset(context: Needs, options: SandboxCommandOptions): Promise<Done> {
  const { resetStore, SIZES, countItems, databaseFile } = await import('../../../sandbox/serve/index.js');
  const seed = wholeNumber(options.seed, '--seed', 0, 2 ** 31) ?? 1;
  const size = options.size ?? 'small';
  const known = Object.hasOwn(SIZES, size) ? SIZES[size] : undefined;
  const renewals =
    known ?? (wholeNumber(size, `--size (a number, or ${oneOf(Object.keys(SIZES))})`, 1, 100_000_000) as number);
  const liveData = options.liveData ?? 'full';
  if (liveData !== 'full' && liveData !== 'empty')
    throw usage(`--live-data takes full or empty, not ${JSON.stringify(liveData)}.`);
  const { world, notes } = context;
  if (context.options.dryRun)
    throw new Would(
      `delete all sandbox data and recreate it: seed ${seed}, ${renewals} renewals, live data ${liveData}, in ${databaseFile(context.dataDir)}; its mirrors are removed`,
    );
  const prompter = await context.prompter();
  if (!context.options.yes && prompter.canPrompt() && existsSync(databaseFile(context.dataDir))) {
    notes.warn(`All sandbox data is deleted and recreated, and its mirrors removed: ${databaseFile(context.dataDir)}`);
    if (!(await prompter.confirm())) throw stopped('Not confirmed: the sandbox is unchanged.');
  }
  const began = world.now();
  // Building the indexes takes a quarter of the time for the renewals.
  const meter = new Meter(notes, () => world.now(), { unit: 'renewals', rest: renewals / 4 });
  const opened = await resetStore({
    dataDir: context.dataDir,
    now: () => world.now(),
    seed,
    renewals,
    liveData,
    refundTransactions: options.refundTransactions === true,
    progress: (done, wanted) => {
      meter.show(done, wanted, done < wanted ? [] : ['building the indexes']);
    },
  });
  try {
    notes.progressDone();
    await (await import('../../../data/mirror/outdated-mirrors.js')).forgetSandbox(context);
    notes.detail(`created in ${((world.now() - began) / 1000).toFixed(1)} s`);
    const counts = countItems(opened.store);
    const { format, columns, query } = await context.settings();
    const isPerson = format === 'table' && world.stdout.isTTY === true && columns === undefined && query === undefined;
    if (isPerson)
      return { result: { shape: 'text', text: `${(await context.shown(resetText(seed, renewals, counts))) ?? ''}\n` } };
    return { result: one({ seed, renewals, ...counts }) };
  } finally {
    opened.database.close();
  }
}

/** The new data in brief, for a person: `-o json` and `sandbox status` give the full table. */
function resetText(seed: number, renewals: number, { items }: ReturnType<typeof countItems>): Text {
  const sum = (mode: 'test' | 'live') => group(Object.values(items).reduce((all, one) => all + one[mode], 0));
  const lines = [
    `The sandbox was recreated: seed ${seed}, ${group(renewals)} renewals.`,
    `${Object.keys(items).length} families hold ${sum('test')} items in test mode and ${sum('live')} in live mode.`,
    say`Next: ${cops`-p sandbox subscriptions list`}; ${cops`sandbox status`} counts the items of each family.`,
  ];
  return joinedTexts(lines, '\n');
}

/** `cops sandbox serve`: prints the base URL and the keys, then serves until it is stopped. */
async function sandboxServe(context: Needs, options: SandboxCommandOptions): Promise<Done> {
  const { serveSandbox, parseFaults, faultReach, FAULT_KINDS, seededRandom } = await import(
    '../../../sandbox/serve/index.js'
  );
  const port = wholeNumber(options.port, '--port', 0, 65_535) ?? 0;
  const faults = parseFaults(options.fault ?? []);
  if (typeof faults === 'string') throw wrongOption('--fault', `${faults}`);
  const rangeEnds = options.rangeEnds ?? 'in';
  if (rangeEnds !== 'in' && rangeEnds !== 'out')
    throw usage(`--range-ends takes in or out, not ${JSON.stringify(rangeEnds)}.`);
  const control = wholeNumber(options.control === true ? '0' : options.control, '--control', 0, 65_535);
  const seed = wholeNumber(options.faultSeed, '--fault-seed', 0, 2 ** 31);
  const { world } = context;
  const stopped = new Promise<void>((resolve) => world.onSignal(() => resolve()));
  const serving = await serveSandbox({
    dataDir: context.dataDir,
    port,
    latencyMs: wholeNumber(options.latency, '--latency', 0, 600_000),
    rateLimit: wholeNumber(options.rateLimit, '--rate-limit', 1, 1_000_000),
    faults,
    rangeEnds,
    hosts: options.host ?? [],
    now: () => world.now(),
    random: seed === undefined ? () => world.random() : seededRandom(seed),
    control,
  }).catch((error: unknown) => {
    if (error instanceof CopsError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw local(
      `The sandbox cannot listen${control ? ` on port ${port} or ${control}` : ` on port ${port}`}: ${reason}`,
      'Choose another port, or 0 for any free one.',
      error,
    );
  });
  const text = [
    `base URL  ${serving.url}`,
    `test key  ${SANDBOX_TEST_KEY}`,
    `live key  ${SANDBOX_LIVE_KEY}`,
    ...(serving.control ? [`control   ${serving.control.url}`, `token     ${serving.control.token}`] : []),
    ...faults.map((fault) => `fault     ${fault.kind}, ${faultReach(fault)}: ${FAULT_KINDS[fault.kind].about}`),
    '',
    `curl -H 'x-api-key: ${SANDBOX_TEST_KEY}' '${serving.url}/campaigns?limit=25&page=1'`,
    ...(serving.control
      ? [
          `curl -H 'Authorization: Bearer ${serving.control.token}' -d '{"advance":"40d"}' '${serving.control.url}/clock'`,
        ]
      : []),
  ].join('\n');
  return {
    result: { shape: 'text', text },
    finish: async () => {
      atOnce(context.notes).note('Serving until Ctrl-C.');
      await stopped;
      await serving.close();
      return undefined;
    },
  };
}

/** `cops sandbox status`: where the data is, how much there is, and the time on the clock. */
async function sandboxStatus(context: Needs): Promise<Done> {
  const sandbox = await import('../../../sandbox/serve/index.js');
  return withSandbox(context, ({ database, store, now, offset }) => {
    const keys = sandbox.listAccounts(database).map(({ name, key, live, enabled }) => {
      return { name, key, mode: live ? 'live' : 'test', enabled };
    });
    const item = {
      file: sandbox.databaseFile(context.dataDir),
      ...sandbox.readSeed(database),
      now: isoTime(Math.floor(now() / 1000)),
      clock_offset_seconds: Math.round(offset() / 1000),
      ...sandbox.countItems(store),
      keys,
      test_cards: TEST_CARDS.map(({ number, says }) => ({ number, outcome: says })),
    };
    return { result: one(item) };
  });
}

/** `cops sandbox clock show|advance <span>|set <when>`: moves time on and runs everything that falls due. */
async function sandboxClock(context: Needs, action: string, argument: string | undefined): Promise<Done> {
  const { advanceTo } = await import('../../../sandbox/serve/index.js');
  if (!['show', 'advance', 'set'].includes(action)) {
    throw usage(
      `sandbox clock takes show, advance or set, not ${JSON.stringify(action)}.`,
      cops`sandbox clock advance 40d`,
    );
  }
  if (action !== 'show' && argument === undefined) {
    throw usage(
      `sandbox clock ${action} needs ${action === 'set' ? 'a moment' : 'a span'}.`,
      cops`sandbox clock advance 40d`,
    );
  }
  return withSandbox(context, async (opened) => {
    let happened = 0;
    if (action !== 'show') {
      const target = await targetOf(action, argument as string, Math.floor(opened.now() / 1000), context.world.zone);
      const from = opened.now() / 1000;
      const hours = (until: number): number => Math.round((until - from) / 3600);
      const meter = new Meter(context.notes, () => context.world.now(), { unit: 'hours' });
      happened = await advanceTo(opened, target, {
        interrupted: context.world.interrupted,
        progress: (count, at) => meter.show(hours(at), hours(target), [`${counted(count, 'event')} so far`]),
      });
      context.notes.progressDone();
      sayTried(context);
    }
    const item = {
      now: isoTime(Math.floor(opened.now() / 1000)),
      now_unix: Math.floor(opened.now() / 1000),
      clock_offset_seconds: Math.round(opened.offset() / 1000),
    };
    const offset = item.clock_offset_seconds;
    if (offset > 0) context.notes.note(`The sandbox's clock is ${lengthSaid(offset)} ahead of this machine's.`);
    return { result: one(action === 'show' ? item : { ...item, events: happened }) };
  });
}

async function targetOf(action: string, text: string, now: number, zoneName: string): Promise<number> {
  const [{ parseSpan }, { parseWhen }, { zoneOf }, { afterSpan }] = await Promise.all([
    import('../../../base/time/spans.js'),
    import('../../../base/time/when.js'),
    import('../../../base/time/zones.js'),
    import('../../../sandbox/serve/index.js'),
  ]);
  if (action === 'advance') return afterSpan(now, parseSpan(text, 'sandbox clock advance'));
  const zone = zoneOf(zoneName);
  const target = parseWhen(text, { now: now * 1000, zone, edge: 'start', option: 'sandbox clock set', look: 'ahead' });
  if (target < now) {
    throw usage(
      "The sandbox's clock only goes forward.",
      say`Its data would be in the future; \`${cops`sandbox reset`}\` starts again.`,
    );
  }
  return target;
}

export const run = bySubcommand<SandboxCommandOptions>({
  reset: (context, { options }) => sandboxReset(context, options),
  serve: (context, { options }) => sandboxServe(context, options),
  status: (context) => sandboxStatus(context),
  events: (context, { options }) => sandboxRecords(context, 'events', options),
  trigger: (context, { words: [notation = ''], options }) => sandboxTrigger(context, notation, options),
  seed: (context, { words: [file], options }) => sandboxSeed(context, file, options),
  runs: (context, { options }) => sandboxRecords(context, 'runs', options),
  outbox: (context, { options }) => sandboxRecords(context, 'outbox', options),
  answers: (context, { words: [file], options }) => sandboxAnswers(context, file, options),
  keys: (context, { words: [action = 'list', word], options }) => sandboxKeys(context, action, word, options),
  clock: (context, { words: [action = 'show', value] }) => sandboxClock(context, action, value),
  snapshot: (context, { words: [action = 'list', name] }) => sandboxSnapshot(context, action, name),
});

import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { profileIfAny } from '../../../account/profiles/faults.js';
import { orElse } from '../../../base/errors/errors.js';
import { readOwnFile } from '../../../base/files/read-file.js';
import { replaceFile } from '../../../base/files/replace-file.js';
import type { TableColumn } from '../../../data/mirror/describe-mirror.js';
import { statementsOf } from '../../../data/mirror/mirror-query.js';
import { readMirror } from '../../../data/mirror/own-mirror.js';
import { viewColumns } from '../../../data/mirror/views.js';
import { hideCards } from '../../../items/secrets/redact.js';
import { render } from '../../../screen/render.js';
import type { Context, Done } from '../../../session/context/context.js';

const MOST_KEPT = 500;
const LEAVING = /^\s*(?:\\q|\.q(?:uit)?|\.exit|exit|quit)\s*;?\s*$/i;
const WORDS =
  'select from where group by order limit join left on as and or not in like between is null count sum avg min max distinct having with case when then else end union all asc desc'.split(
    ' ',
  );

/**
 * A prompt: queries end with `;`, Tab completes words, tables and columns, Ctrl-C stops a running query or clears the
 * line, Ctrl-D leaves. Typed lines are kept for the next time.
 * @param given columns of tables beside the mirror
 */
export async function prompt(
  context: Context,
  mirror: string,
  given: readonly TableColumn[],
  answer: (query: string, signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const { world } = context;
  const names = new Map(await namesOf(context, mirror));
  for (const { table, column } of given) names.set(table, [...(names.get(table) ?? []), column]);
  const begun: Begun = { text: '' };
  const historyFile = join(context.dataDir, 'sql-history');
  const history = orElse(() => readOwnFile(historyFile)?.toString('utf8') ?? '', '');
  const lines = createInterface({
    input: world.stdin,
    output: world.stderr,
    terminal: true,
    historySize: MOST_KEPT,
    history: history.split('\n').filter((line) => line !== ''),
    completer: (line: string) => completeSql(line, names, begun.text),
  });
  let kept: string[] = [];
  lines.on('history', (all: string[]) => {
    kept = all;
  });
  try {
    await loop(context, { lines, begun, before: await wordsBefore(context) }, answer);
  } finally {
    lines.close();
    if (kept.length > 0) await replaceFile(historyFile, hideCards(`${kept.join('\n')}\n`)).catch(() => undefined);
  }
  return { result: { shape: 'nothing' } };
}

/** The profile whose mirror answers, and its mode. */
async function wordsBefore(context: Context): Promise<string> {
  const profile = await profileIfAny(context);
  if (profile === undefined) return 'mirror';
  const { name, mode } = profile;
  return `${name.value} ${mode.value === 'live' ? 'LIVE' : 'test'}`;
}

/** The lines of an unfinished query. */
interface Begun {
  text: string;
}

interface Seat {
  readonly lines: Interface;
  readonly begun: Begun;
  /** The text in front of each line. */
  readonly before: string;
}

async function loop(
  context: Context,
  { lines, begun, before }: Seat,
  answer: (query: string, signal: AbortSignal) => Promise<Done>,
): Promise<void> {
  let running: AbortController | undefined;
  // Ctrl-D may arrive while a query runs; another question would then hold the keyboard forever.
  let isLeft = false;
  lines.once('close', () => {
    isLeft = true;
  });
  const ask = () => {
    if (isLeft) return;
    lines.setPrompt(begun.text === '' ? `${before} sql> ` : `${' '.repeat(before.length)} ...> `);
    lines.prompt();
  };
  lines.on('SIGINT', () => {
    if (running) return running.abort(new Error('stopped'));
    begun.text = '';
    context.world.stderr.write('\n');
    // Moves to the end of the line, then deletes all of it.
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    ask();
  });
  ask();
  for await (const line of lines) {
    if (begun.text === '' && LEAVING.test(line)) return;
    const { whole, rest } = statementsOf(`${begun.text}${line}\n`);
    begun.text = rest;
    for (const query of whole) {
      running = new AbortController();
      const { signal } = running;
      await show(context, () => answer(query, signal));
      running = undefined;
      // Ctrl-C also drops the queries that follow.
      if (signal.aborted) break;
    }
    ask();
  }
  // Ctrl-D leaves the cursor after the prompt.
  context.world.stderr.write('\n');
}

/** Shows one answer; reports a failure and continues. */
async function show(context: Context, answer: () => Promise<Done>): Promise<void> {
  const { world, notes } = context;
  try {
    const done = await answer();
    await render(done.result, await context.settings(), {
      stdout: world.stdout,
      color: context.options.color,
      width: world.stdout.columns ?? 80,
      interactive: world.stdout.isTTY === true,
    });
    const error = await done.finish?.();
    if (error) throw error;
  } catch (error) {
    notes.warn(error instanceof Error ? error.message : String(error));
  }
}

/** Tables with their columns, for completion. */
const namesOf = (context: Context, mirror: string): Promise<ReadonlyMap<string, readonly string[]>> =>
  readMirror(context, mirror, ({ database }) => {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type IN ('view', 'table') ORDER BY name")
      .all();
    return new Map(tables.map(([name]) => [String(name), viewColumns(database, String(name))]));
  });

/**
 * Completes table names where one is expected; elsewhere tables, words, and the columns of the tables that the query
 * names so far, in `begun` or on the line.
 */
export function completeSql(
  line: string,
  names: ReadonlyMap<string, readonly string[]>,
  begun = '',
): [fitting: string[], typed: string] {
  const [typed = ''] = /[\w.]*$/.exec(line) ?? [];
  const dot = typed.lastIndexOf('.');
  const start = typed.slice(dot + 1).toLowerCase();
  const text = `${begun}${line}`;
  const named = [...names].filter(([name]) => new RegExp(`\\b${name}\\b`, 'i').test(text));
  const columns = (named.length > 0 ? named : [...names]).flatMap(([, own]) => own);
  const isTable = /\b(?:from|join)\s+\w*$/i.test(text);
  const choices = isTable ? [...names.keys()] : dot >= 0 ? columns : [...names.keys(), ...columns, ...WORDS];
  const fitting = [...new Set(choices)].filter((choice) => choice.toLowerCase().startsWith(start));
  return [fitting.slice(0, 200), typed.slice(dot + 1)];
}

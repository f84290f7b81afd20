import { accountRecords } from '../account/account-records.js';
import type { History } from '../account/history/types.js';
import type { ResolvedLine } from '../account/journal/journal-lines.js';
import type { JournalState } from '../account/journal/state.js';
import type { Journal, JournalPlace } from '../account/journal/types.js';
import { CopsError, local, unless } from '../base/errors/errors.js';
import { cops, joinedTexts, placeholder, say } from '../base/text/command-line.js';
import { lengthSaid } from '../base/time/spans.js';
import { findOperation, loadFamily, pathParameters } from '../catalogue/index.js';
import { LARGEST_PAGE } from '../catalogue/terms.js';
import type { Family } from '../catalogue/types.js';
import { each, Item, slicePage } from '../items/json/item-json.js';
import { newReport, readList } from '../service/lists/read-list.js';
import { cutWindows } from '../service/lists/windows.js';
import { pager } from '../service/request/pager.js';
import { planRequest } from '../service/request/request-plan.js';
import type { Context, Done } from '../session/context/context.js';
import { openReader, type Reader } from '../session/read/reading.js';
import { bound, inItsProfile, operationOf } from './binding.js';
import { type Finding, type LookUps, reconcileRows, type UnknownRow } from './reconcile.js';

const COLUMNS = [
  { path: 'row' },
  { path: 'line' },
  { path: 'id' },
  { path: 'proposal', as: 'status' },
  { path: 'evidence', as: 'prose' },
] as const;

/** `cops bulk reconcile <journal> [--apply]`: looks up unknown rows and proposes; records only with --apply. */
export async function bulkReconcile(of: Context, path: string, given: { apply?: boolean } = {}): Promise<Done> {
  // A dry run makes the same proposals as without --apply.
  const options = { apply: given.apply === true && !of.options.dryRun };
  const file = await accountRecords(of).journal(path);
  const { state, rows } = await unknownRows(file);
  const context = inItsProfile(of, state.header, file);
  const profile = await context.profile();
  bound(state.header, profile, file, cops`bulk reconcile ${path}`);
  const { family, operation } = await operationOf(state.header);
  const reader = await openReader(context);
  const { fingerprint: credential } = profile;
  const now = rows.length > 0 ? await serviceTime(reader, await context.clock()) : undefined;
  const looked = await reconcileRows(rows, operation.action, await lookUpsOf(reader, family), { now, credential });
  const byHand = await settledByHand(context, state.header.id);
  const findings = looked.map((one) => {
    const settled = one.proposal === 'cannot_tell' ? byHand.get(one.row.history ?? '') : undefined;
    return settled ? { ...one, proposal: settled.proposal, evidence: [settled.says, ...one.evidence] } : one;
  });
  if (options.apply) await record(context, file, state.header.id, profile.fingerprint, findings);
  const items = findings.map(({ row, proposal, evidence, apiCallId }) =>
    Item.of({
      row: row.row,
      line: row.line,
      id: row.ids.join(' '),
      proposal,
      evidence,
      api_call_id: apiCallId,
      key: row.key,
      history: row.history,
    }),
  );
  const beyond = findings.filter((one) => one.proposal === 'cannot_tell').length;
  const proposed = findings.length - beyond;
  const open = options.apply ? beyond : findings.length;
  const apply = cops`bulk reconcile ${path} --apply`;
  return {
    result: { shape: 'list', items: each(items), columns: COLUMNS, idField: 'id' },
    finish: () => {
      if (findings.length === 0) context.notes.note('No row is unknown.');
      else if (proposed > 0 && !options.apply) context.notes.note('Nothing was recorded yet.');
      if (open === 0) return undefined;
      const hints = [
        ...(proposed > 0 && !options.apply ? [say`To record the proposed outcomes: ${apply}.`] : []),
        ...(beyond > 0
          ? [
              say`Try again later, or check the unknown rows by hand (${cops`history list --unknown`}), record the true outcome`,
              say`with: ${cops`history settle <id> --as ${placeholder('done|not-done')}`}, and copy it with: ${apply}.`,
            ]
          : []),
      ];
      return new CopsError('outcome_unknown', `${open} of ${findings.length} rows are still unknown`, {
        hint: joinedTexts(hints, ' '),
      });
    },
  };
}

/** The rows of a run that have no known outcome, in their order. */
async function unknownRows(file: JournalPlace): Promise<{ state: JournalState; rows: readonly UnknownRow[] }> {
  const callIds = new Map<number, string>();
  const answered = new Answered();
  const { state } = await file.scan((line) => {
    if (line.type !== 'result' || !line.api_call_id) return;
    if (line.outcome === 'unknown') callIds.set(line.row, line.api_call_id);
    else answered.note(Date.parse(line.time), line.api_call_id);
  });
  const rows: UnknownRow[] = [];
  for (const [row, open] of state.pending) {
    const stand = state.stand(row);
    if (stand !== 'open' && stand !== 'unknown') continue;
    const apiCallId = callIds.get(row);
    // A team's journal holds the ledger's times, but the skew belongs to the machine that sent the row.
    const skew = file.isShared ? {} : state.steadySkewOf(open);
    rows.push({ row, ...open, skew, apiCallId, neighbours: answered.around(open.time) });
  }
  rows.sort((a, b) => a.row - b.row);
  return { state, rows };
}

/** A few calls that the service answered in each part of a run. */
class Answered {
  readonly #calls = new Map<number, string[]>();

  note(time: number, id: string): void {
    const part = Math.floor(time / PART_MS);
    const calls = this.#calls.get(part) ?? [];
    if (calls.length === 0) this.#calls.set(part, calls);
    if (calls.length < 4) calls.push(id);
  }

  around(time: number): readonly string[] {
    const part = Math.floor(time / PART_MS);
    return [part - 1, part, part + 1].flatMap((one) => this.#calls.get(one) ?? []);
  }
}

const PART_MS = 120_000;

/** The service's clock in milliseconds, as the answer to a list of calls shows it. */
async function serviceTime(reader: Reader, now: number): Promise<number | undefined> {
  const calls = await loadFamily('api_calls');
  const list = findOperation(calls, 'list');
  if (!list) return undefined;
  const at = String(Math.floor(now / 1000));
  const { query, ...request } = planRequest(calls, list, { ids: [] });
  const range = [
    ['date_start', at] as const,
    ['date_end', at] as const,
    ['limit', '1'] as const,
    ['page', '1'] as const,
  ];
  const text = await reader.answer({ ...request, query: [...range, ...query] });
  const { api_call_unix: seconds } = slicePage(Buffer.from(text));
  return seconds === undefined ? undefined : seconds * 1000;
}

/** What the operator settled by hand for one run's rows, by history entry. */
async function settledByHand(
  context: Context,
  journal: string,
): Promise<ReadonlyMap<string, { readonly proposal: 'done' | 'not_done'; readonly says: string }>> {
  const found = new Map<string, { proposal: 'done' | 'not_done'; says: string }>();
  const history = await accountRecords(context).history();
  for await (const { id, journal: of, settled } of history.list()) {
    if (of !== journal || !settled) continue;
    const says = `settled by hand at ${settled.time}${settled.note ? `: ${settled.note}` : ''} (${cops`history show ${id}`})`;
    found.set(id, { proposal: settled.as === 'done' ? 'done' : 'not_done', says });
  }
  return found;
}

/** Records confirmed outcomes in the journal and in the history; leaves rows that another process settled meanwhile. */
async function record(
  context: Context,
  file: JournalPlace,
  id: string,
  fingerprint: string,
  findings: readonly Finding[],
): Promise<void> {
  const journal = await file.open(id, fingerprint);
  if ((journal.othersMs?.() ?? 0) > 0) {
    const seconds = Math.ceil((journal.othersMs?.() ?? 0) / 1000);
    await journal.close();
    throw local(
      `what ${file.name} sent may still be under way`,
      `Nothing was recorded. Try again in ${lengthSaid(seconds)}.`,
    );
  }
  const history = await accountRecords(context).history();
  try {
    for (const { row, proposal, evidence, apiCallId } of findings) {
      const stand = journal.state.stand(row.row);
      if (proposal === 'cannot_tell' || (stand !== 'open' && stand !== 'unknown')) continue;
      await recordOutcome(journal, history, row, { as: proposal, evidence, api_call_id: apiCallId ?? null });
    }
  } finally {
    await journal.close();
    await history.close();
  }
}

/** Records what was found out about a row, in the journal and in the history. */
export async function recordOutcome(
  journal: Journal,
  history: Pick<History, 'settle'>,
  { row, line, ids, key, history: entry }: Pick<UnknownRow, 'row' | 'line' | 'ids' | 'key' | 'history'>,
  found: Pick<ResolvedLine, 'as' | 'evidence' | 'api_call_id'>,
): Promise<void> {
  const resolved = { type: 'resolved', row, line, ids, key, time: journal.stamp(), ...found } as const;
  await journal.append(resolved, true);
  journal.state.apply(resolved, -1);
  const as = found.as === 'done' ? 'done' : 'not-done';
  // The journal has it; a history entry that is gone or settled by hand needs nothing.
  if (entry) await history.settle(entry, as, found.evidence.join('; ')).catch(() => undefined);
}

/** How `reconcile` asks the service: the item's own read, and the records of calls. */
async function lookUpsOf(reader: Reader, family: Family): Promise<LookUps> {
  const calls = await loadFamily('api_calls');
  const list = findOperation(calls, 'list');
  const getCall = findOperation(calls, 'get');
  const getItem = findOperation(family, 'get');
  const needed = getItem ? pathParameters(getItem).length : 0;
  return {
    ...(getItem
      ? {
          async item(ids) {
            const request = planRequest(family, getItem, { ids: ids.slice(0, needed) });
            const text = await reader.answer(request).catch(unless('not_found'));
            return text === undefined ? 'missing' : { text };
          },
        }
      : {}),
    async *calls(from, to) {
      if (!list) return;
      const span = list.list?.spanDays ?? 2;
      const fetch = pager(reader, planRequest(calls, list, { ids: [] }), calls.idField);
      // Neighbours share a second, so no call between them is missed, whichever ends the service includes.
      for (const window of cutWindows({ from, to }, span, true)) {
        const windows = [window];
        const report = newReport();
        for await (const page of readList({ windows, paged: true, pageSize: LARGEST_PAGE, ahead: 1 }, fetch, report))
          for (const item of page.items) yield item.raw;
        if (report.unproven.length > 0)
          throw new CopsError('incomplete', `the list of calls could not be read completely: ${report.unproven[0]}`);
      }
    },
    async call(id) {
      if (!getCall) throw new CopsError('internal', 'there is no operation that reads a call');
      return reader.answer(planRequest(calls, getCall, { ids: [id] }));
    },
  };
}

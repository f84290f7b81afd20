import Big from 'big.js';
import type { Profile } from '../account/profiles/types.js';
import { effectiveRisk, type KnownRisk } from '../account/safety/decide.js';
import { modeLine, refundAmounts } from '../account/safety/question.js';
import { stopped } from '../base/errors/errors.js';
import { say } from '../base/text/command-line.js';
import type { Risk } from '../catalogue/types.js';
import type { Values } from '../items/json/lossless.js';
import { lineWithout } from '../session/context/lines.js';

/** Total amounts that would move, by currency: never added across currencies. */
export class Sums {
  readonly #byCurrency = new Map<string, Big>();
  #told = 0;

  /** Adds one item of a refund; `asked` is the amount in the row's body, by default everything left. */
  add(item: Values, asked: string | undefined): void {
    const { currency, left } = refundAmounts(item);
    const amount = asked ?? left;
    if (currency === undefined || amount === undefined || !/^-?\d+(\.\d+)?$/.test(amount)) return;
    this.#told++;
    this.#byCurrency.set(currency, (this.#byCurrency.get(currency) ?? new Big(0)).plus(amount));
  }

  /** `1,250.00 USD and 30.00 EUR over 98 of 100 rows`, or undefined if no item showed an amount. */
  text(rows: number): string | undefined {
    if (this.#told === 0) return undefined;
    const parts = [...this.#byCurrency].map(
      ([currency, sum]) => `${sum.toFixed(Math.max(2, sum.c.length - sum.e - 1))} ${currency}`,
    );
    return `${parts.join(' and ')}${this.#told < rows ? ` over ${this.#told} of ${rows} rows; the others were not read or show no amount` : ''}`;
  }
}

export interface BulkQuestion {
  readonly profile: Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'baseUrl' | 'embedded'>;
  readonly command: string;
  readonly risk: KnownRisk;
  readonly rows: number;
  readonly sums?: string;
  readonly says: readonly string[];
  readonly firstIds: readonly string[];
  readonly retry: boolean;
}

/** Describes what a bulk run is about to do, one fact per line; the caller sanitises it. */
export function bulkLines(question: BulkQuestion): readonly string[] {
  const { profile, rows } = question;
  const risk: Risk = effectiveRisk(question.risk);
  const doubt = profile.embedded
    ? ' (the embedded sandbox: no real money)'
    : ` at ${profile.baseUrl.value}${profile.proof === 'proven' ? '' : ' (mode not proven: this may be a live key)'}`;
  const lines = [
    `${modeLine(profile)}${doubt}`,
    `${question.command}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'write' : 'writes'}${question.retry ? ', each sent again as a new intention' : ''}`,
  ];
  if (question.firstIds.length > 0)
    lines.push(`  First: ${question.firstIds.join(', ')}${rows > question.firstIds.length ? ', ...' : ''}`);
  if (question.sums) lines.push(`  Sum: ${question.sums}`);
  lines.push(
    `  Risk: ${risk === 'money' ? 'moves money or changes what will be charged' : risk === 'irreversible' ? 'cannot be undone' : 'changes data'}`,
  );
  lines.push(...question.says);
  return lines;
}

export interface BulkGuard {
  readonly profile: Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'embedded'>;
  readonly risk: KnownRisk;
  readonly rows: number;
  /** `--expect`. */
  readonly expect: number | undefined;
  readonly yes: boolean;
  readonly canPrompt: boolean;
  /** Rows from a file or `cops bulk`: in live mode their number must be given, whatever the risk. */
  readonly counted: boolean;
  /** There are names instead of ids: in live mode `--yes` alone does not confirm them. */
  readonly byName?: boolean | undefined;
  /** False with `--no-strict-ids`. */
  readonly strictIds?: boolean | undefined;
  /** Standard input supplied the rows, so it cannot answer a question. */
  readonly rowsFromStdin: boolean;
  /** The typed line. */
  readonly argv?: readonly string[] | undefined;
  /** The result of `decide` for a single write of this operation, without `--yes`. */
  readonly single: 'allow' | 'ask' | 'ask-typed';
}

/** @throws CopsError stopped (12) if the number of rows differs from `--expect` */
export function checkExpected(expect: number | undefined, rows: number): void {
  if (expect === undefined || expect === rows) return;
  throw stopped(`--expect ${expect}, but there are ${rows} rows: nothing was sent`, undefined, {
    expected: expect,
    rows,
  });
}

/** What confirms a run where nobody can be asked. */
const CONFIRMING = ['--yes', '-y', '--expect', '--no-strict-ids'];

/** Whether a bulk run goes ahead. @throws CopsError stopped (12) for another count, or if nobody can be asked */
export function decideBulk(guard: BulkGuard): 'allow' | 'ask-typed' {
  const { expect, rows } = guard;
  checkExpected(expect, rows);
  const live = guard.profile.mode.value === 'live' || guard.profile.modeAssumed;
  const grave = guard.single !== 'allow';
  const mustCount = guard.counted && live && guard.risk !== 'read';
  const isUnconfirmed = guard.byName === true && live && guard.strictIds !== false;
  if (!grave && !mustCount && !isUnconfirmed) return 'allow';
  if (guard.yes && !isUnconfirmed && (expect !== undefined || !mustCount)) return 'allow';
  const confirming = [
    ...['--yes', ...(mustCount ? ['--expect', String(rows)] : [])],
    ...(guard.byName && live ? ['--no-strict-ids'] : []),
  ];
  if (!guard.canPrompt) {
    throw stopped(
      `${rows} writes ${live ? 'in live mode' : 'with a key whose mode is not proven'} need a confirmation, and ${guard.rowsFromStdin ? 'standard input gives the rows, so it cannot answer' : 'nobody is there to ask'}`,
      guard.rowsFromStdin
        ? `Nothing was sent. Give the rows as a file to be asked, or confirm them with: ${confirming.join(' ')}`
        : say`Nothing was sent. Confirm them with: ${lineWithout(guard.argv ?? [], CONFIRMING, ...confirming)}`,
      { rows, mode: guard.profile.mode.value },
    );
  }
  return 'ask-typed';
}

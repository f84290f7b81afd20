import { CopsError, wrongOption } from '../../base/errors/errors.js';
import { namedPeriod } from '../../base/time/periods.js';
import { ahead, refuseBareM, spanIn } from '../../base/time/spans.js';
import { parseWhen } from '../../base/time/when.js';
import { unixOf } from '../../base/time/zones.js';
import type { Due } from '../../catalogue/types.js';
import { against, againstSpan, type ReadingClock } from './compare.js';
import type { Condition } from './condition.js';

/** The selection of `--next`: a time between two moments, and a state in which it will still happen. */
export interface DueCondition {
  readonly where: readonly Condition[];
  readonly anyOf: readonly Condition[];
  /** One sentence that names the moments and states used. */
  readonly told: string;
}

/**
 * Selects the items that are due within a span: `7d` from now, the next calendar `week`, `month`, `quarter` or `year`,
 * a day (`5 december`), everything until then, or from one day to another.
 *
 * @param isStateSaid the line gives the state itself
 * @throws CopsError `usage`
 */
export function dueWithin(due: Due, text: string, moment: ReadingClock, isStateSaid = false): DueCondition {
  const { from, to } = spanOf(text, moment);
  const condition = (path: string, operand: string): Pick<Condition, 'text' | 'path' | 'operator' | 'operand'> => ({
    text: `--next ${text}`,
    path,
    operator: '=',
    operand,
  });
  const span = { start: from, end: to };
  const states = due.while?.values ?? [];
  const still = states.length === 0 || isStateSaid ? '' : `, ${due.while?.path} ${states.join(' or ')}`;
  return {
    where: [{ ...condition(due.path, text), type: 'instant', against: () => againstSpan(span, moment.zone) }],
    anyOf: states.map((state) => {
      const path = due.while?.path ?? '';
      const compare = against('text', { path, operand: state, moment, unit: undefined, says: `--next ${text}` });
      return { ...condition(path, state), type: 'text', against: () => compare };
    }),
    told: `--next ${text}: ${due.says} from ${iso(from)} to ${iso(to)}${still}.`,
  };
}

function spanOf(text: string, { now, zone }: ReadingClock): { readonly from: number; readonly to: number } {
  const begin = Math.floor(now / 1000);
  const word = text.trim().replace(/^\+ ?/, '');
  const period = /^(?:day|week|month|quarter|year)$/i.test(word) ? namedPeriod(`next ${word}`, now, zone) : undefined;
  if (period) return { from: unixOf(period.first, zone), to: unixOf(period.next, zone) - 1 };
  refuseBareM(word, '--next');
  const span = spanIn(word);
  if (span) return { from: begin, to: ahead(begin, span, zone) };
  return betweenDays(text, { now, zone }) ?? dayAhead(text, { now, zone });
}

/** `27 november to 29 november`, `from 27 to 29 november`, `2026-11-27..2026-11-29`; undefined for one day. */
function betweenDays(text: string, moment: ReadingClock): { readonly from: number; readonly to: number } | undefined {
  const [, first, last = ''] =
    /^(?:from |between )?(\S.*?)\s*(?: to | until | till | and | through |\.\.+|\u2013| - )\s*(\S.*)$/i.exec(
      text.trim(),
    ) ?? [];
  if (first === undefined) return undefined;
  // The month is given only once.
  const whole = /^\d{1,2}(?:st|nd|rd|th|\.)?$/.test(first) ? last.replace(/^\d{1,2}(?:st|nd|rd|th|\.)?/, first) : first;
  const [{ from }, { to }] = [dayAhead(whole, moment), dayAhead(last, moment)];
  if (to < from) throw wrongOption('--next', `"${text}" ends before it begins.`);
  return { from, to };
}

/** The day or month that a text names, the next one if it has no year; with `until`, everything up to its end. */
function dayAhead(text: string, { now, zone }: ReadingClock): { readonly from: number; readonly to: number } {
  const [, until, day = ''] = /^(until |till |to |by |before )?(.*)$/i.exec(text.trim()) ?? [];
  const at = (edge: 'start' | 'end') => parseWhen(day, { now, zone, edge, option: '--next', look: 'ahead' });
  const begin = Math.floor(now / 1000);
  let span: { readonly from: number; readonly to: number };
  try {
    span = { from: until === undefined ? at('start') : begin, to: at('end') };
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
    throw wrongOption(
      '--next',
      `"${text}" is not a span of time.`,
      'Write 7d, 2w, 1mo, or week, month, quarter for the next one; a day such as "5 december", "until 5 december", or "27 november to 5 december".',
    );
  }
  if (span.to < begin) throw wrongOption('--next', `"${text}" is over.`, 'Give a time in the future.');
  return span;
}

const iso = (unix: number): string => new Date(unix * 1000).toISOString().replace(/:\d\d\.000Z/, 'Z');

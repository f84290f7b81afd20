import { type Context, type Done, lineFlags } from '../../command/context.js';
import { parseJson } from '../../json/parse-json.js';
import { isObject, NumberText } from '../../json/tree.js';
import { sanitise } from '../../output/sanitise.js';
import { valuesOf } from '../../safety/shown-values.js';
import { answerLines } from './answer-text.js';
import type { PreparedWrite } from './prepared-write.js';
import type { Seen } from './write.js';

/** What every answer holds, and what a sentence says of it already. */
const KNOWN = new Set(['api_call_id', 'api_call_unix', 'code', 'result', 'message', 'live_mode', 'amount']);

/** The answer of a done write as sentences; undefined for one that tells more than lines can hold. */
export async function toldToPerson(
  prepared: PreparedWrite,
  seen: Seen | undefined,
  answer: string,
  context: Context,
): Promise<Done | undefined> {
  const { family, operation, ids, body } = prepared;
  const before =
    seen?.item && seen.text !== undefined ? { values: seen.item, tree: parseJson(seen.text).value } : undefined;
  const flags = lineFlags(context.options);
  const { tz } = await context.settings();
  const lines = answerLines({ family, operation, ids, body, before, answer: valuesOf(answer), tz, flags });
  const told = parseJson(answer).value;
  const more = isObject(told) ? Object.entries(told) : [];
  for (const [name, value] of more) {
    if (KNOWN.has(name) || name === operation.answerId || ids.includes(String(value))) continue;
    const shown = plain(value);
    if (shown === undefined && !isEmpty(value)) return undefined;
    if (shown !== undefined) lines.push(`  ${name.replaceAll('_', ' ')}: ${shown}`);
  }
  return {
    result: {
      shape: 'text',
      text: `${lines
        .flatMap((line) => line.split('\n'))
        .map(sanitise)
        .join('\n')}\n`,
    },
    wrote: true,
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value that fits on a line: words, numbers, and short lists of them. */
function plain(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(plain);
    return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join(', ') : undefined;
  }
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return String(value);
  return value instanceof NumberText ? value.text : undefined;
}

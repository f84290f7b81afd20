import Big from 'big.js';
import type { Fault } from '../base/errors/errors.js';
import type { Operation } from '../catalogue/types.js';
import { isSecretPath } from '../items/secrets/secret-fields.js';
import { addNumbers, isNumber } from '../items/select/decimals.js';
import { PathFault, type PathStep, parseAssignment, ValueFault } from '../service/body/data-path.js';

/** A part of a template's value: text as it is, the name of a column, or a path on the row's item. */
export type TemplatePart = { readonly text: string } | { readonly column: string } | { readonly item: string };

/** Begins a path on the row's item. */
const OF_ITEM = 'item.';

/** What a template calls the value at a path of the row's item. */
export const itemPlace = (path: string): string => `${OF_ITEM}${path}`;

export type RowTemplate = ReturnType<typeof parseRowTemplate>[number];

/**
 * The parts of a value of `-d`; none, and a fault, if it is invalid.
 * @param hasColumns false for bare ids: a name in braces can only be a value of the item
 */
export function parseRowTemplate(text: string, operation: Operation, hasColumns: boolean, faults: Fault[]) {
  try {
    const { path, steps, json, value } = parseAssignment(text);
    if (value.startsWith('@')) throw new PathFault('@file does not work for rows: put the text into a column');
    const parts = partsOf(value, hasColumns);
    if (isSecretPath(operation, concrete(steps)) && parts.some((part) => !('column' in part)))
      throw new PathFault('a secret is never taken from the command line: put it into a column of the file');
    return [{ path, steps, json, parts }];
  } catch (fault) {
    if (!(fault instanceof PathFault)) throw fault;
    faults.push({ path: /^[^=]{0,60}/.exec(text)?.[0] ?? '', message: fault.message });
    return [];
  }
}

/** `{column}` stands for a cell, `{item.path}` for a value of the row's item; `{{` and `}}` are braces. */
function partsOf(value: string, hasColumns: boolean): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  const token = /\{\{|\}\}|\{([^{}]+)\}|[\s\S]/g;
  for (const [whole, column] of value.matchAll(token)) {
    if (column === undefined) {
      text += whole === '{{' ? '{' : whole === '}}' ? '}' : whole;
      continue;
    }
    if (text !== '') parts.push({ text });
    text = '';
    const name = column.trim();
    const item = name.startsWith(OF_ITEM) ? name.slice(OF_ITEM.length).trim() : hasColumns ? undefined : name;
    parts.push(item === undefined ? { column: name } : { item });
  }
  if (text !== '' || parts.length === 0) parts.push({ text });
  return parts;
}

/** The change that follows a value: `+2` of `{amount}+2`, `+ 7d` of `{next_renewal} + 7d`; undefined for any other template. */
export function changeIn({ parts: [of, change, ...more] }: RowTemplate): string | undefined {
  const isOne = of !== undefined && !('text' in of) && more.length === 0;
  return isOne && change && 'text' in change && /^\s*[-+*]\s*\d/.test(change.text) ? change.text : undefined;
}

/**
 * A number changed by `+2`, `-10%` or `*1.05`. The first is exact; the other two are rounded half up to the digits of the
 * currency. Refunds are rounded down, as for a single item: we never give back more than was asked.
 * Where either is not understood, the two texts joined, which the check of the body refuses.
 */
export function changedNumber(of: string, change: string, digits: number | undefined, isRefund: boolean): string {
  const [, sign = '', by = '', share] = /^\s*([-+*])\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(change) ?? [];
  if (by === '' || !isNumber(of) || (sign === '*' && share)) return `${of}${change}`;
  const isSum = sign !== '*' && share === '';
  const signed = sign === '-' ? `-${by}` : by;
  const factor = share ? new Big(signed).plus(100).times('0.01') : by;
  const exact = isSum ? addNumbers(of, signed) : new Big(of).times(factor);
  if (new Big(exact).lt(0)) throw new ValueFault(`${of}${change.trim()} is less than zero`);
  if (typeof exact === 'string') return exact;
  if (digits === undefined) throw new ValueFault('the currency of its item is unknown, so it cannot be rounded');
  return exact.toFixed(digits, isRefund ? Big.roundDown : Big.roundHalfUp);
}

/** A path with the first place of each list. */
export function concrete(steps: readonly PathStep[]): (string | number)[] {
  return steps.map((step) => (typeof step === 'object' ? 0 : step));
}

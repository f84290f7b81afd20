import type { Fault } from '../../base/errors/errors.js';
import { bodyFieldAt } from '../../catalogue/body-fields.js';
import type { Operation } from '../../catalogue/types.js';
import {
  isNumberText,
  isObject,
  NumberText,
  ownMember,
  pathText,
  type Tree,
  type TreeObject,
  valueAt,
  walk,
} from '../../items/json/tree.js';
import { minorDigits } from '../../items/schema/types.js';
import { amountFault, exponentFault, spokenSum } from '../../items/select/amounts.js';
import { setAt } from './data-path.js';

type Place = readonly (string | number)[];

/**
 * Reads the amounts in a JSON or YAML body like those in cells and options: strings become numbers, and an amount that
 * is ambiguous, finer than its currency's minor unit, or has an exponent is a fault.
 * @param before the earlier body, whose values nobody typed
 */
export function settleSums(operation: Operation, body: TreeObject, before: TreeObject = {}): Fault[] {
  const faults: Fault[] = [];
  const settled: [Place, Tree][] = [];
  walk(body, (place, value) => {
    const { field } = bodyFieldAt(operation, place);
    const text = value instanceof NumberText ? value.text : value;
    if ((field?.type !== 'number' && field?.type !== 'integer') || typeof text !== 'string') return;
    const path = pathText(place);
    const was = valueAt(before, path);
    if ((was instanceof NumberText ? was.text : was) === text) return;
    const exponent = exponentFault(text);
    if (exponent !== undefined) faults.push({ path, message: exponent });
    if (exponent !== undefined || field.means !== 'money') return;
    const currency = currencyAt(body, place);
    const digits = currency === undefined ? undefined : minorDigits(currency);
    const isText = typeof value === 'string';
    const sum = value instanceof NumberText ? value : spokenSum(text, digits);
    const isSum = sum !== undefined && isNumberText(sum.text) && amountFault(sum.text, digits) === undefined;
    if (isSum && (sum.currencies || sum.text !== text)) {
      const isOther = currency !== undefined && sum.currencies?.includes(currency) === false;
      if (isOther) faults.push({ path, message: `a sum of another currency than the ${currency} of the body` });
      // A currency in the body itself needs no further check.
      else settled.push([[...place], new NumberText(sum.text, currency === undefined ? sum.currencies : undefined)]);
      return;
    }
    // A value that is not an amount at all is reported with the other type faults.
    if (isText && amountFault(text, digits) === undefined) {
      if (isNumberText(text)) settled.push([[...place], new NumberText(text)]);
      return;
    }
    // The amount of a refund is checked against the currency of its item.
    const message =
      !isText && digits === undefined && operation.preview?.refund ? undefined : amountFault(text, digits);
    if (message !== undefined) faults.push({ path, message });
  });
  for (const [place, tree] of settled) setAt(body, place, tree);
  return faults;
}

/** The currency that the body names for a place: the nearest one above it. */
function currencyAt(body: TreeObject, place: Place): string | undefined {
  for (let depth = place.length - 1; depth >= 0; depth--) {
    const above = depth === 0 ? body : valueAt(body, pathText(place.slice(0, depth)));
    if (!isObject(above)) continue;
    const code = ownMember(above, 'iso_currency') ?? ownMember(above, 'currency');
    if (typeof code === 'string') return code.trim().toUpperCase();
  }
  return undefined;
}

/** The first amount in a body that was typed with a currency, which its item must match. */
export function namedSum(
  body: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly sum: NumberText } | undefined {
  let found: { readonly path: string; readonly sum: NumberText } | undefined;
  walk(body as TreeObject, (place, value) => {
    if (value instanceof NumberText && value.currencies) found ??= { path: pathText(place), sum: value };
  });
  return found;
}

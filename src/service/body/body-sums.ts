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
import { amountFault, exponentFault } from '../../items/select/amounts.js';
import { setAt } from './data-path.js';

type Place = readonly (string | number)[];

/**
 * Reads the sums of a body that came as JSON or YAML as those of cells and options are read: texts become numbers, and
 * what reads in two ways, is finer than its currency's coin, or has an exponent is a fault.
 * @param before what was there before, which is nobody's typing
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
    const digits = digitsAt(body, place);
    const isText = typeof value === 'string';
    // What is no sum at all is told with all else that is not of its type.
    if (isText && amountFault(text, digits) === undefined) {
      if (isNumberText(text)) settled.push([[...place], new NumberText(text)]);
      return;
    }
    // The sum of a refund is held against the currency of its item.
    const message =
      !isText && digits === undefined && operation.preview?.refund ? undefined : amountFault(text, digits);
    if (message !== undefined) faults.push({ path, message });
  });
  for (const [place, tree] of settled) setAt(body, place, tree);
  return faults;
}

/** The digits of the currency that the body names for a place: the nearest one above it. */
function digitsAt(body: TreeObject, place: Place): number | undefined {
  for (let depth = place.length - 1; depth >= 0; depth--) {
    const above = depth === 0 ? body : valueAt(body, pathText(place.slice(0, depth)));
    if (!isObject(above)) continue;
    const code = ownMember(above, 'iso_currency') ?? ownMember(above, 'currency');
    if (typeof code === 'string') return minorDigits(code.trim().toUpperCase());
  }
  return undefined;
}

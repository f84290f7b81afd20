import { isItem, type Value } from '../store/item-values.js';
import { invalid, notJson } from './refusals.js';

/** Deeper than any body of the service; a text may nest more deeply than a program can follow. */
const DEEPEST = 64;
/**
 * Reads the body of a request.
 * @throws Refusal 400: E0208 for a body that is not JSON (service.md#errors), another code for one that no operation
 * can use: not an object, nested too deeply, or with numbers out of range.
 */
export function parseBody(text: string | undefined): Value {
  if (text === undefined || text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw notJson('The body is not valid JSON.');
  }
  if (!isItem(body)) throw invalid('The body must be a JSON object.');
  checkValues(body, 1);
  return body;
}

function checkValues(content: object, depth: number): void {
  if (depth > DEEPEST) throw invalid(`The body is nested more than ${DEEPEST} levels deep.`);
  for (const [name, value] of Object.entries(content)) {
    if (name === '__proto__') throw invalid('A property cannot be called __proto__.');
    if (typeof value === 'number') checkNumber(name, value);
    else if (typeof value === 'object' && value !== null) checkValues(value, depth + 1);
  }
}

function checkNumber(name: string, value: number): void {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw invalid(`${name} is out of range.`);
}

import type { Fault } from '../base/errors/errors.js';
import type { Operation } from '../catalogue/types.js';
import { isSecretPath } from '../items/secrets/secret-fields.js';
import { PathFault, type PathStep, parseAssignment } from '../service/body/data-path.js';

/** A part of a template's value: text as it is, the name of a column, or a path on the row's item. */
export type TemplatePart = { readonly text: string } | { readonly column: string } | { readonly item: string };

/** Begins a path on the row's item. */
const OF_ITEM = 'item.';

/** What a template calls the value at a path of the row's item. */
export const itemPlace = (path: string): string => `${OF_ITEM}${path}`;

export interface RowTemplate {
  readonly path: string;
  readonly steps: readonly PathStep[];
  readonly json: boolean;
  readonly parts: readonly TemplatePart[];
}

/** The parts of a value of `-d`; none, and a fault, if it is invalid. */
export function parseRowTemplate(text: string, operation: Operation, faults: Fault[]): RowTemplate[] {
  try {
    const { path, steps, json, value } = parseAssignment(text);
    if (value.startsWith('@')) throw new PathFault('@file does not work for rows: put the text into a column');
    const parts = partsOf(value);
    if (isSecretPath(operation, concrete(steps)) && parts.some((part) => !('column' in part))) {
      throw new PathFault('a secret is never taken from the command line: put it into a column of the file');
    }
    return [{ path, steps, json, parts }];
  } catch (fault) {
    if (!(fault instanceof PathFault)) throw fault;
    faults.push({ path: /^[^=]{0,60}/.exec(text)?.[0] ?? '', message: fault.message });
    return [];
  }
}

/** `{column}` stands for a cell, `{item.path}` for a value of the row's item; `{{` and `}}` are braces. */
function partsOf(value: string): TemplatePart[] {
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
    parts.push(name.startsWith(OF_ITEM) ? { item: name.slice(OF_ITEM.length).trim() } : { column: name });
  }
  if (text !== '' || parts.length === 0) parts.push({ text });
  return parts;
}

/** A path with the first place of each list. */
export function concrete(steps: readonly PathStep[]): (string | number)[] {
  return steps.map((step) => (typeof step === 'object' ? 0 : step));
}

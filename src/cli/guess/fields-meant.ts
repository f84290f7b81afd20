import {
  type CommandLine,
  copsLine,
  type Placeholder,
  placeholder,
  say,
  type Text,
} from '../../base/text/command-line.js';
import { bodyFieldAt, typedFields } from '../../catalogue/body-fields.js';
import { familyByCommand } from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';
import { HIDDEN } from '../../session/context/lines.js';
import { fieldCalled, fieldNamed, fieldsWith } from './field-option.js';
import { placed } from './pasted.js';

/** A line with a body, and the options that its action takes. */
export interface BodyLine {
  readonly argv: readonly string[];
  readonly known: readonly string[];
  readonly operation: Operation;
}

/** The assignments that a name and its value mean in a body: one or several. */
function assignmentsFor(operation: Operation, name: string, given: string | undefined): readonly string[] | undefined {
  const parts = fieldsWith(operation, name);
  const field =
    fieldNamed(operation, name) ?? fieldCalled(operation, name) ?? (parts.length === 1 ? parts[0] : undefined);
  if (field !== undefined) {
    if (HIDDEN.test(field) || isSecretPath(operation, field.split('.'))) return undefined;
    const { implies = {}, enum: values, type } = bodyFieldAt(operation, field.split('.')).field ?? {};
    // Without a value a switch is on, and any other field lacks its value.
    const typed = given ?? (type === 'boolean' ? 'true' : `<${name.replaceAll('_', ' ')}>`);
    if ((type === 'number' || type === 'integer') && !/^[<\d.$\u20ac\u00a3-]/.test(typed)) return undefined;
    const isShare = typed.endsWith('%') && Object.hasOwn(implies, 'percent');
    const also = implies[isShare ? 'percent' : name.replaceAll('_', ' ')] ?? choiceOf(Object.values(implies));
    const value = valueMeant(isShare ? typed.slice(0, -1).trim() : typed, values);
    return [`${field}=${value.replace(/^@/, '@@')}`, ...(also === undefined ? [] : [also])];
  }
  const value = given ?? '<name>';
  return elementOf(operation, name, value) ?? ofItem(operation, name, value);
}

/** A discount of 10 may be an amount or a percentage. */
function choiceOf([first, ...others]: readonly string[]): string | undefined {
  const [field = '', value] = first?.split('=') ?? [];
  const values = new Set([value, ...others.map((one) => one.split('=')[1])]);
  return first === undefined || values.size === 1 ? first : `${field}=<${[...values].join(' | ')}>`;
}

/** One of a field's own values, typed in the singular or in capitals. */
function valueMeant(typed: string, values: readonly string[] = []): string {
  const plain = typed.toLowerCase();
  return values.find((one) => [plain, `${plain}s`].includes(one) || `${one}s` === plain) ?? typed;
}

/** `product=Coffee Club` where the body has a list of products: its first element. */
function elementOf(operation: Operation, name: string, value: string): readonly string[] | undefined {
  const [list, field] = Object.entries(typedFields(operation)).find(([one]) => one === `${name}s`) ?? [];
  if (list === undefined || field?.type !== 'array') return undefined;
  const { items } = field;
  if (items?.format === 'id') return [`${list}[0]=${value}`];
  return items?.fields?.id?.format === 'id' ? [`${list}[0].id=${value}`] : undefined;
}

/** `customer=jane@example.com` where a body names its subject by kind and id. */
function ofItem(operation: Operation, name: string, value: string): readonly string[] | undefined {
  const word = name.replaceAll('_', '-');
  const family = familyByCommand(word) ?? familyByCommand(synonymOf('command', word)?.means ?? '');
  const fields = typedFields(operation);
  for (const [at, { refersBy }] of Object.entries(fields)) {
    const kind =
      refersBy && fields[refersBy.field]?.enum?.find((one) => familyByCommand(one.replaceAll('_', '-')) === family);
    if (refersBy && family && kind) return [`${refersBy.field}=${kind}`, `${at}=${value}`];
  }
  return undefined;
}

/** True for a name that is not a field of the body, or one that a single text cannot fill. */
function isOther(operation: Operation, path: string, value: string): boolean {
  const [root = ''] = path.split(/[.[]/);
  const field: Field | undefined = Object.hasOwn(typedFields(operation), root)
    ? typedFields(operation)[root]
    : undefined;
  if (field === undefined) return root !== 'idempotency_key';
  const isText =
    path === root && field.type === 'object' && field.fields !== undefined && field.fields.id === undefined;
  return isText && !/^\s*[[{@]/.test(value);
}

/** The complete line for a write with names that its body lacks; undefined if none of them is understood. */
export function withFieldsMeant(line: BodyLine): Text | undefined {
  const { operation } = line;
  const { words, lost, count } = readFields(line);
  if (count === 0) return undefined;
  const whole: CommandLine = copsLine([...words.map(placed), ...missingIn(operation, words)]);
  const left =
    lost.length === 0
      ? ''
      : ` It leaves out ${lost.join(', ')}, which ${lost.length === 1 ? 'is not a field' : 'are not fields'} here.`;
  return say`Did you mean "${whole}"?${left}`;
}

function readFields({ argv, known, operation }: BodyLine): { words: string[]; lost: string[]; count: number } {
  const words: string[] = [];
  const lost: string[] = [];
  let count = 0;
  const put = (name: string, value: string | undefined, spoken: string): void => {
    const [first, ...also] = assignmentsFor(operation, name, value) ?? [];
    if (first === undefined || isSaid(argv, words, first)) {
      lost.push(spoken);
      return;
    }
    count += 1;
    words.push('-d', first);
    for (const one of also) if (!isSaid(argv, words, one)) words.push('-d', one);
  };
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const next = argv[at + 1];
    const [, path = '', isJson, value = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(next ?? '') ?? [];
    const [option = '', joined] = word.split(/=(.*)/s, 2);
    if ((word === '-d' || word === '--data') && path !== '' && !isJson && isOther(operation, path, value)) {
      put(path.replaceAll('-', '_'), value, path);
      at += 1;
    } else if (/^--[a-z]/i.test(option) && !known.includes(option)) {
      const isFilled = joined !== undefined || (next !== undefined && !next.startsWith('-'));
      put(option.slice(2).toLowerCase().replaceAll('-', '_'), joined ?? (isFilled ? next : undefined), option);
      if (isFilled && joined === undefined) at += 1;
    } else words.push(word);
  }
  return { words, lost, count };
}

/** True if a line already sets the field of an assignment. */
function isSaid(argv: readonly string[], words: readonly string[], assignment: string): boolean {
  const [field = ''] = assignment.split('=');
  return [...argv, ...words].some(
    (word) => word.startsWith(`${field}=`) || word.replace(/=.*/s, '') === `--${field.replaceAll('_', '-')}`,
  );
}

/** Placeholders for required fields that the line lacks. */
function missingIn(operation: Operation, words: readonly string[]): (string | Placeholder)[] {
  const isNew = operation.action.split(' ').at(-1) === 'create';
  if (!isNew) return [];
  const given = words.map((word) => word.replace(/^--/, '').replaceAll('-', '_'));
  const isGiven = (path: string): boolean =>
    given.some(
      (word) =>
        word === path || word.startsWith(`${path}=`) || word.startsWith(`${path}.`) || word.startsWith(`${path}[`),
    );
  const look = (fields: Readonly<Record<string, Field>>, before: string): string[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const path = `${before}${name}`;
      const isBegun = given.some((word) => word.startsWith(`${path}.`));
      if (!(field.required || field.asked || isBegun) || field.secret) return [];
      if (field.type === 'object' && field.fields) return look(field.fields, `${path}.`);
      return isGiven(path) ? [] : [path];
    });
  return look(typedFields(operation), '').flatMap((path) => [
    '-d',
    placeholder(`${path}=<${(path.split('.').at(-1) ?? path).replaceAll('_', ' ')}>`),
  ]);
}

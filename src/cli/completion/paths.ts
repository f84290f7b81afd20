import { bodyFieldAt, byUse, isOpenObject, typeName } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';
import type { CompletionCandidate } from './answer.js';

type Parts = readonly (string | number)[];

/**
 * Splits the word after `-d`. `settled`: the settled part: `customer.`, `rates[0].`, or `name=` and `name:=` while the
 * value is being typed. `value`: the field whose value is being typed, once there is an equals sign.
 */
export function readDataWord(operation: Operation, word: string) {
  const equals = word.indexOf('=');
  if (equals >= 0) {
    const parts = partsOf(word.slice(0, equals).replace(/:$/, ''));
    const last = parts.filter((part) => typeof part === 'string').at(-1);
    // A secret never belongs on a command line: its field is not offered.
    const field = isSecretPath(operation, parts) ? undefined : bodyFieldAt(operation, parts).field;
    return { settled: word.slice(0, equals + 1), typed: word.slice(equals + 1), value: { name: String(last), field } };
  }
  const dot = word.lastIndexOf('.');
  return { settled: word.slice(0, dot + 1), typed: word.slice(dot + 1) };
}

/** The fields that may follow a settled path, level by level: `name=`, `customer.`, `rates[0].`, `tags[]=`. */
export function fieldCandidates(operation: Operation, settled: string): CompletionCandidate[] {
  const parts = partsOf(settled.replace(/\.$/, ''));
  const holder = settled === '' ? bodyFieldAt(operation, []).field : bodyFieldAt(operation, parts).field;
  return byUse(holder?.fields ?? {})
    .filter(([name]) => !isSecretPath(operation, [...parts, name]))
    .map(([name, field]) => ({ value: `${name}${endOf(field)}`, about: aboutField(field) }));
}

/** A field in a few words: type, whether it is required, allowed values, note. */
export function aboutField(field: Field): string {
  const values = field.enum ?? field.items?.enum;
  const type = typeName(field.type).replace(/^an? /, '');
  const parts = [type, field.required && 'required', values?.slice(0, 6).join(' | '), field.note];
  return parts.filter(Boolean).join('; ');
}

function endOf(field: Field): string {
  if (field.type === 'object') return isOpenObject(field) && field.fields === undefined ? ':=' : '.';
  if (field.type !== 'array') return '=';
  return field.items?.fields ? '[0].' : '[]=';
}

const partsOf = (path: string): Parts =>
  [...path.matchAll(/([^.[\]]+)|\[(\d*)\]/g)].map((match) => match[1] ?? Number(match[2] ?? 0));

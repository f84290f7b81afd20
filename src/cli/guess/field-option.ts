import { bodyFieldAt, checkedBody, typedFields } from '../../catalogue/body-fields.js';
import { FIELD_WORDS } from '../../catalogue/field-words.js';
import { familyByCommand } from '../../catalogue/index.js';
import { type Synonym, synonymOf } from '../../catalogue/synonyms.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { describeFields } from '../../items/checks/describe-fault.js';
import { HIDDEN } from '../../session/context/lines.js';
import { type Reworded, wordPositions } from '../parser/argv.js';
import { apart, type OptionPlace } from './as-condition.js';

/** Every path of a body with a known type; `-d` takes them all, documented or only assumed. */
function pathsOf(operation: Operation): string[] {
  if (operation.method !== 'POST') return [];
  return describeFields({ ...operation, body: checkedBody(operation) })
    .map(({ path }) => path)
    .filter((path) => !path.includes('[') && isOneValue(bodyFieldAt(operation, path.split('.')).field));
}

/** True for a field that one text can fill: an object can be if it has an id. */
const isOneValue = (field: Field | undefined): boolean => field?.type !== 'object' || field.fields?.id?.format === 'id';

const leafOf = (path: string): string => path.split('.').at(-1) ?? '';

/** The field of a body that a bare name means, at any depth: `customer.email` for `email`. */
export function fieldNamed(operation: Operation, name: string): string | undefined {
  const called = (path: string) => bodyFieldAt(operation, path.split('.')).field?.called ?? [];
  const leaves = pathsOf(operation).filter(
    (path) => leafOf(path) === name || called(path).some((one) => one.replaceAll(' ', '_') === name),
  );
  return leaves.length === 0 ? fieldOf(operation, name) : shortestOf(leaves);
}

/** The shortest of some paths; the customer's if others are as short. */
function shortestOf(paths: readonly string[]): string | undefined {
  const sorted = paths.toSorted((a, b) => a.split('.').length - b.split('.').length);
  const [first, next] = sorted;
  const isClear = next === undefined || (first ?? '').split('.').length < next.split('.').length;
  return isClear ? first : sorted.find((path) => path.startsWith('customer.'));
}

/** The field of a body with this name in common use, in any family: `title` for `name`. */
export function fieldCalled(operation: Operation, name: string): string | undefined {
  return shortestOf(pathsOf(operation).filter((path) => FIELD_WORDS[leafOf(path)]?.includes(name)));
}

/**
 * The only field of a body that refers to the thing a word names: `customer_id` for `customer`, `provider` for
 * `carrier`.
 */
function fieldOf(operation: Operation, name: string): string | undefined {
  if (operation.method !== 'POST') return undefined;
  const word = name.replaceAll('_', '-');
  const family = familyByCommand(word) ?? familyByCommand(synonymOf('command', word)?.means ?? '');
  const referring = Object.entries(typedFields(operation)).filter(
    ([, { refers, items, format }]) =>
      (refers ?? items?.refers)?.join() === family?.name && (format ?? items?.format) === 'id',
  );
  return family !== undefined && referring.length === 1 ? referring[0]?.[0] : undefined;
}

/** Fields whose name contains a word: `template_subject` for `subject`. */
export function fieldsWith(operation: Operation, name: string): string[] {
  const isPart = (leaf: string) => leaf.startsWith(`${name}_`) || leaf.endsWith(`_${name}`);
  return pathsOf(operation).filter((path) => isPart(leafOf(path)));
}

/** Most fields to list in a hint. */
const MOST_TOLD = 14;

/** The fields a write takes, if nothing closer to an option is known; undefined if they are unknown, or too many. */
export function fieldsTold({ operation }: OptionPlace): string | undefined {
  const names = operation?.method === 'POST' ? Object.keys(typedFields(operation)) : [];
  if (names.length === 0 || names.length > MOST_TOLD) return undefined;
  return `Set fields with -d name=value; known here: ${names.join(', ')}.`;
}

/**
 * The line with an option that can only mean a field of the body: `--email` is `-d customer.email`, and a switch is a
 * field that is true or false.
 */
export function asField(place: OptionPlace): Reworded | undefined {
  const { argv, operation } = place;
  const { at, typed, joined, value = '', isFilled, instead } = apart(place);
  if (at < 0 || !typed.startsWith('--') || operation === undefined) return undefined;
  const name = typed.replace(/^--/, '').replaceAll('-', '_');
  const field = fieldNamed(operation, name) ?? fieldNamed(operation, name.replace(/^no_/, ''));
  if (field === undefined || HIDDEN.test(field)) return undefined;
  // Anything else it says is for its author to confirm.
  if (bodyFieldAt(operation, field.split('.')).field?.implies !== undefined) return undefined;
  const isSwitch = bodyFieldAt(operation, field.split('.')).field?.type === 'boolean' && joined === undefined;
  if (isSwitch && !/^(?:true|false)$/.test(value)) {
    const set = `${field}=${!name.startsWith('no_') || field === name}`;
    return { argv: argv.toSpliced(at, 1, '-d', set), note: `${typed} is read as -d ${set}.` };
  }
  if (!isFilled || fieldNamed(operation, name) === undefined) return undefined;
  return { argv: instead(['-d', assigned(field, value)]), note: `${typed} is read as -d ${field}.` };
}

/** The assignment of a value exactly as typed: only in an assignment does an @ name a file. */
const assigned = (field: string, value: string): string => `${field}=${value.replace(/^@/, '@@')}`;

/**
 * `--group VIP` where the body is a list of groups: its first element; an edit is read as the action with that list.
 */
export function asListField(place: OptionPlace, { field = '', edits = '' }: Synonym): Reworded | undefined {
  const { argv, family, operation } = place;
  const { at, typed, value = '', isFilled, instead } = apart(place);
  if (at < 0 || !isFilled) return undefined;
  const takes = (one: Operation | undefined): boolean =>
    one?.body?.fields?.[field.replace(/\[.*/, '')]?.required === true;
  const read = instead(['-d', assigned(field, value)]);
  if (takes(operation)) return { argv: read, note: `${typed} is read as -d ${field}.` };
  const other = operation?.action === 'edit' ? family?.operations.find(({ action }) => action === edits) : undefined;
  const verb = wordPositions(argv)[1];
  if (!family || !takes(other) || verb === undefined || verb > at) return undefined;
  read[verb] = edits;
  return { argv: read, note: `edit ${typed} is read as ${edits} -d ${field}.` };
}

import { CopsError, usage } from '../../base/errors/errors.js';
import { copsLine, say } from '../../base/text/command-line.js';
import { byUse } from '../../catalogue/body-fields.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { idFault } from '../../catalogue/value-formats.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import { describeFields } from '../../items/checks/describe-fault.js';
import { isObject, ownMember, type Tree, type TreeObject } from '../../items/json/tree.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';
import { type BodyIo, gatherBody } from '../../service/body/gather.js';
import type { Context } from '../../session/context/context.js';
import type { OperationInput } from '../../session/operation/spec.js';
import { listCommand } from '../../session/read/list.js';
import { pickRow } from '../../session/read/pick-row.js';

/** A field without which the line would fail, and its place in the body. */
interface Wanted {
  readonly path: string;
  readonly field: Field;
}

/** What asking needs besides the line. */
interface Form {
  readonly context: Context;
  readonly input: OperationInput;
  readonly io: BodyIo;
}

/**
 * Asks a person for the fields that a body lacks, one by one; returns them in the form of `-d`, and shows the
 * equivalent line. Secrets are requested where the body is gathered.
 * @throws CopsError usage (2) if an answer is empty: nothing is sent then
 */
export async function askFields(form: Form, body: TreeObject): Promise<string[]> {
  const { context, input } = form;
  // Other faults are reported at once, together with the missing fields.
  if (await hasFaults(input.operation, body)) return [];
  const isEmpty = Object.keys(body).length === 0;
  const wanted = [...wantedIn(input.operation, input.operation.body?.fields ?? {}, body, { isEmpty, parts: [] })];
  const data: string[] = [];
  for (const one of wanted) data.push(`${one.path}=${await answerTo(form, one)}`);
  if (data.length > 0)
    context.notes.note(
      say`The same without questions: ${copsLine([...context.world.argv, ...data.flatMap((one) => ['-d', one])])}`,
    );
  return data;
}

/** Whether the line contains a fault; a name in place of an id is not one. */
async function hasFaults(operation: Operation, body: TreeObject): Promise<boolean> {
  const { faults } = await judgeBody(body, { operation });
  return faults.some(({ path, message }) => {
    if (path.includes('[')) return true;
    const given = path
      .split('.')
      .reduce<Tree | undefined>((at, name) => (isObject(at) ? ownMember(at, name) : undefined), body);
    return given !== undefined && message !== idFault(String(given));
  });
}

interface Place {
  /** The line has no body: also ask for fields that are not required but without which the action is pointless. */
  readonly isEmpty: boolean;
  readonly parts: readonly string[];
  /** All members, since none is required individually. */
  readonly every?: boolean;
}

function* wantedIn(
  operation: Operation,
  fields: Readonly<Record<string, Field>>,
  body: Tree | undefined,
  { isEmpty, parts, every = false }: Place,
): Generator<Wanted> {
  const isMeant = (field: Field): boolean => field.required === true || (isEmpty && field.asked === true);
  for (const [name, field] of byUse(fields)) {
    const given = isObject(body) ? ownMember(body, name) : undefined;
    const place = [...parts, name];
    if (!(every || isMeant(field) || (isObject(given) && field.fields))) continue;
    if (field.fields) {
      const below = Object.values(field.fields);
      const takesEvery = given === undefined && field.asked === true && !below.some(isMeant);
      yield* wantedIn(operation, field.fields, given, { isEmpty, parts: place, every: takesEvery });
    } else if (given === undefined && field.type !== 'array' && !isSecretPath(operation, place)) {
      yield { path: place.join('.'), field };
    }
  }
}

/** The answer for one field, asked again until it is valid. */
async function answerTo(form: Form, { path, field }: Wanted): Promise<string> {
  const { context, input, io } = form;
  for (;;) {
    const answer = await asked(form, { path, field });
    if (answer === '') throw usage(`Nothing was given for ${path}: nothing was sent.`);
    const fault = await faultOf(input.operation, { path, field, answer, io });
    if (fault === undefined) return answer;
    context.notes.warn(fault);
  }
}

async function asked({ context, input }: Form, { path, field }: Wanted): Promise<string> {
  const prompter = await context.prompter();
  const row = describeFields(input.operation).find((one) => one.path === path);
  const label = path.replace(/[._]/g, ' ');
  const about = [row?.type, row?.limits, row?.note].filter(Boolean).join('; ');
  const question = `${label}${about === '' ? '' : ` (${about.replace(/\.$/, '')})`}`;
  const values = field.type === 'boolean' ? ['true', 'false'] : field.enum;
  if (values)
    return (
      (await prompter.pick(
        question,
        values.map((value) => ({ value, name: value })),
      )) ?? ''
    );
  const [family, other] = field.refers ?? [];
  if (family !== undefined && other === undefined) {
    const picked = await pickedOf(context, family, label);
    if (picked !== undefined) return picked;
  }
  return (await prompter.text(question, field.default === undefined ? undefined : String(field.default))).trim();
}

/** The id of an item that the field refers to; undefined where its family has no list to choose from. */
async function pickedOf(context: Context, name: string, label: string): Promise<string | undefined> {
  const family = await loadFamily(name);
  const operation = findOperation(family, 'list');
  if (!operation || family.idField !== 'id') return undefined;
  const input = { family, operation, words: [], options: {}, filters: {}, typed: {} };
  context.notes.note(`${label}:`);
  const list = (options: OperationInput['options']) => listCommand(context, family, operation, [], [], options);
  return pickRow(context, input, ({ options }) => list(options)).catch((error: unknown) => {
    // A key that may not read the list can still use an id.
    if (error instanceof CopsError && ['not_authorised', 'refused'].includes(error.kind)) return undefined;
    throw error;
  });
}

/** The fault of an answer itself; a name in place of an id is looked up later. */
async function faultOf(
  operation: Operation,
  { path, field, answer, io }: Wanted & { readonly answer: string; readonly io: BodyIo },
): Promise<string | undefined> {
  try {
    const { body } = await gatherBody(operation, { data: [`${path}=${answer}`] }, { ...io, askSecret: undefined });
    const { faults } = await judgeBody(body, { operation });
    const fault = faults.find((one) => one.path === path);
    const isName = field.format === 'id' && fault?.message === idFault(answer);
    return fault && !isName ? `${path}: ${fault.message}.` : undefined;
  } catch (error) {
    if (error instanceof CopsError && error.kind === 'usage') return error.message;
    throw error;
  }
}

import { parseArgs } from 'node:util';
import { splitTemplate } from '../../../account/profiles/profile-names.js';
import { operationWith } from '../../../account/safety/as-sent.js';
import { CopsError, usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { typedFields } from '../../../catalogue/body-fields.js';
import { operationMeant, pathParameters } from '../../../catalogue/index.js';
import type { Family, Operation } from '../../../catalogue/types.js';
import type { TreeObject } from '../../../items/json/tree.js';
import { gatherBody } from '../../../service/body/gather.js';
import type { Context } from '../../../session/context/context.js';
import { camel, operationInput, operationSpec } from '../../../session/operation/spec.js';
import { inputOf } from '../../../session/write/body-input.js';
import { checkBody } from '../../../session/write/check-body.js';
import { type LimitedWrites, reasonOf } from '../../../session/write/prepared-write.js';
import { withSums } from '../../operation/post.js';

/** The writes that a command line means. */
export interface MeantWrites extends LimitedWrites {
  readonly idSets: readonly (readonly string[])[];
  readonly body: TreeObject;
}

/** The writes of a line, given as arguments or as one quoted string. @throws CopsError usage (2) */
export async function meantBy(context: Context, line: readonly string[]): Promise<MeantWrites> {
  const given = line.length === 1 ? splitTemplate(line[0] ?? '') : [...line];
  const words = given[0] === 'cops' ? given.slice(1) : given;
  const meant = await operationMeant(words);
  if (!meant) {
    throw usage(
      `policy check: "${words.join(' ')}" is not an operation of a family.`,
      say`For example: ${cops`policy check transactions refund <id> -d amount=5`}. Commands that write by an operation are judged as that operation: customers note as notes create, subscriptions postpone as subscriptions edit; bulk runs and setup apply one by one, as they send.`,
    );
  }
  const { family, operation } = meant;
  const typed = operationInput(family, operation, parsed(family, operation, words.slice(meant.used)));
  const names = pathParameters(operation);
  const idSets = names.length === 1 ? typed.words.map((id) => [id]) : [typed.words.slice(0, names.length)];
  const input = await withSums(context, typed, operation.risk, idSets);
  const { body, data, reason } = input.options;
  const gathered = await gatherBody(operation, { body, data, typed: input.typed }, inputOf(context.world));
  await checkBody(context, input, gathered.body);
  refuseUnknown(operation, gathered.body);
  if (idSets.length === 0 || idSets.some((ids) => ids.length < names.length))
    throw usage(`policy check: an id is missing: ${names.map((name) => `<${name}>`).join(' ')} after the action.`);
  const actual = operationWith(operation, gathered.body);
  return {
    family,
    operation: actual,
    risk: actual.risk,
    reason: reasonOf(reason),
    idSets,
    body: gathered.body,
  };
}

/** A rule that looks at fields judges nothing of a body whose fields are not known. @throws CopsError usage (2) */
function refuseUnknown(operation: Operation, body: TreeObject): void {
  const known = Object.keys(typedFields(operation));
  const unknown = Object.keys(body).filter((name) => name !== 'idempotency_key' && !known.includes(name));
  if (known.length > 0 && unknown.length > 0)
    throw usage(
      `policy check: ${unknown.join(', ')} ${unknown.length === 1 ? 'is not a field' : 'are not fields'} of this action, so nothing was judged.`,
      `Its fields: ${known.join(', ')}.`,
    );
}

type ParseOptions = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

/** The arguments and options of an operation, parsed with the options of its own command line. */
function parsed(
  family: Family,
  operation: Operation,
  args: readonly string[],
): { words: string[]; options: Record<string, unknown> } {
  const options: NonNullable<ParseOptions> = {};
  for (const { flags, many } of operationSpec(family, operation).options ?? []) {
    const [, short, long = ''] = /^(?:-(\w), )?--([\w-]+)/.exec(flags) ?? [];
    const type = /[<[]/.test(flags) ? 'string' : 'boolean';
    options[long] = { type, multiple: many === true, ...(short ? { short } : {}) };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return {
      words: positionals,
      options: Object.fromEntries(
        Object.entries(values).map(([name, value]) =>
          name.startsWith('no-') ? [camel(name.slice(3)), false] : [camel(name), value],
        ),
      ),
    };
  } catch (error) {
    throw new CopsError('usage', `policy check: ${(error as Error).message}`);
  }
}

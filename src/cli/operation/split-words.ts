import { usage } from '../../base/errors/errors.js';
import { cops, copsLine, say, type Text, writtenLine } from '../../base/text/command-line.js';
import type { Operation } from '../../catalogue/types.js';
import { pathParameters } from '../../service/request/request-plan.js';
import type { Context } from '../../session/context/context.js';
import { type OperationInput, ownFilters } from '../../session/operation/spec.js';

/** The line in our words for an action that takes no ids but was given words; undefined where none is known. */
async function meantLine({ family, operation, words }: OperationInput): Promise<Text | undefined> {
  const { lineMeant } = await import('../../catalogue/synonyms.js');
  const line = lineMeant(family.name, operation.action, words)?.line;
  const word = (text: string): string => text.replace(/\{(\d)\}/g, (_all, at) => words[Number(at)] ?? '');
  return line && say`Did you mean "${copsLine(line.map(word))}"?`;
}

/** `invoices list jane@example.com` becomes the list of that customer, where the list can be of one. */
function ofWhom({ family, operation, words }: OperationInput, who: string): Text | undefined {
  const isOfOne =
    ownFilters(family, operation).some(({ option }) => option === 'customer') || operation.query?.customer_id;
  return words.length === 1 && operation.list && isOfOne
    ? say`Did you mean "${cops`${family.name.replaceAll('_', '-')} ${operation.action.split(' ')} --customer ${who}`}"?`
    : undefined;
}

/** Splits the positional words of a line into ids (one set per request) and what follows them. */
export async function splitWords(
  context: Context,
  input: OperationInput,
): Promise<{ ids: readonly (readonly string[])[]; rest: readonly string[] }> {
  const { operation, words } = input;
  const names = pathParameters(operation);
  const takesText =
    operation.positionalBody !== undefined || Object.values(operation.query ?? {}).some((f) => f.positional);
  const shape = names.map((name) => `<${name}>`).join(' ');
  const usageLine = `cops ${context.command} ${shape}`.trim();
  if (names.length === 0) {
    if (takesText && words.length === 0 && !input.options.body && !input.options.data) {
      throw usage(
        `${context.command}: the ${wordName(operation)} is missing.`,
        say`For example: ${writtenLine(operation.example)}`,
      );
    }
    const tooMany = words[takesText ? 1 : 0];
    if (tooMany !== undefined) {
      const isFile = operation.body !== undefined && /\.(?:json|ya?ml)$/i.test(tooMany);
      const meant = isFile
        ? say`Did you mean "${cops`${context.command.split(' ')} --body ${`@${tooMany}`}`}"?`
        : await meantLine(input);
      throw usage(
        `${context.command}: "${tooMany}" is one word too many.`,
        takesText ? 'Put a text of several words into quotes.' : (meant ?? ofWhom(input, tooMany) ?? 'It takes no id.'),
      );
    }
    return { ids: [[]], rest: words };
  }
  if (names.length === 1) {
    const several = operation.list === undefined;
    const given: string[] = [];
    for (const word of words) given.push(...(word === '-' ? await typedIds(context) : [word]));
    if (words.length === 0) throw usage(`${context.command}: the ${names[0]} is missing.`, `${usageLine}`);
    if (given.length === 0) throw usage(`${context.command}: standard input holds no ids.`);
    if (!several && given.length > 1) throw usage(`${context.command}: takes one ${names[0]}.`);
    return { ids: given.map((id) => [id]), rest: [] };
  }
  if (words.length !== names.length) {
    throw usage(`${context.command}: ${words.length} of ${names.length} ids are given.`, usageLine);
  }
  return { ids: [words], rest: [] };
}

/** The name of the word after an action without ids: `term`, `sql`, `code`. */
function wordName(operation: Operation): string {
  const asked = Object.entries(operation.query ?? {}).find(([, field]) => field.positional)?.[0];
  return operation.positionalBody ?? (asked === undefined || asked === 'search_term' ? 'term' : asked);
}

/** The ids on standard input, one per line. */
async function typedIds({ world }: Context): Promise<readonly string[]> {
  const [{ idLines, inputOf }, { readText }] = await Promise.all([
    import('../../session/write/body-input.js'),
    import('../../service/body/gather.js'),
  ]);
  return idLines(await readText(inputOf(world), '-'));
}

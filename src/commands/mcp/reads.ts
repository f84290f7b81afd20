import { describeFields } from '../../body/describe.js';
import type { Done } from '../../command/run.js';
import { stopped, usage } from '../../errors/errors.js';
import { isPersonal } from '../../mcp/mask.js';
import { pick } from '../../mcp/pick.js';
import { plainOf } from '../../mcp/plain.js';
import { filterOptions } from '../../request/query.js';
import { operationInput } from '../operation/input.js';
import { runOperation } from '../operation/run.js';
import { type Answer, contextOf, operationOf, type Said, type Session, shownItem, shownText } from './session.js';

/** Tells of one operation what the catalogue knows. */
export async function describe(session: Session, words: string): Promise<Answer> {
  const { family, operation, name } = await operationOf(session, words);
  return {
    structured: {
      operation: name,
      summary: operation.summary,
      risk: operation.risk,
      path: `${operation.method} ${operation.path}`,
      filters: filterOptions(operation).map(({ option, field }) => ({
        name: option,
        type: field.type,
        values: field.enum,
      })),
      fields: operation.body ? describeFields(operation).map((row) => ({ ...row })) : undefined,
      columns: family.columns.map(({ path }) => path),
      rules: operation.rules,
      example: `cops ${operation.example}`,
    },
  };
}

/** What `read` takes. */
export interface ReadArguments {
  readonly operation: string;
  readonly ids?: readonly string[];
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly from?: string;
  readonly to?: string;
  readonly last?: string;
  readonly where?: readonly string[];
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
  readonly limit?: number;
}

/** Reads with the command's own engine; says what is missing, cuts nothing in silence. */
export async function read(session: Session, given: ReadArguments): Promise<Answer> {
  const { family, operation, name } = await operationOf(session, given.operation);
  if (operation.risk !== 'read' || operation.method !== 'GET')
    throw usage(`${name} does not only read.`, 'Use prepare.');
  const options = optionsOf(session, given, family.name);
  const known = new Set(filterOptions(operation).map(({ option }) => option));
  for (const [filter, value] of Object.entries(given.filters ?? {})) {
    const option = filter.replace(/_filter$/, '').replaceAll('_', '-');
    if (!known.has(option)) throw usage(`${name} has no filter ${filter}.`, 'See describe.');
    if (session.mask && isPersonal(option.replaceAll('-', '_'), family.name))
      throw usage('That filter is masked here.');
    options[camel(option)] = Array.isArray(value)
      ? value.map(String)
      : typeof value === 'boolean'
        ? value
        : String(value);
  }
  const { context, said } = contextOf(session, name);
  const input = operationInput(family, operation, { words: given.ids ?? [], options });
  const done = await runOperation(context, input, operation.risk);
  return gathered(session, said, done, (raw) => {
    const shown = shownItem(session, raw, family.name);
    return given.columns ? pick(shown, given.columns) : shown;
  });
}

/** A command's result as an answer; complete only where nothing that was said speaks against it. */
export async function gathered(
  session: Session,
  said: Said,
  { result, finish }: Done,
  shown: (raw: string) => string,
): Promise<Answer> {
  const lines: string[] = [];
  if (result.shape === 'list') for await (const item of result.items) lines.push(shown(item.raw));
  else if (result.shape === 'one') lines.push(shown(result.item.raw));
  else if (result.shape === 'text') throw stopped('that answer has no form for an agent');
  const failure = await finish?.();
  const isComplete = failure === undefined && said.missing.length === 0;
  const told = said.missing.find(({ total }) => total !== undefined)?.total ?? null;
  return answerOf(session, lines, {
    total: isComplete ? lines.length : told,
    complete: isComplete,
    notes: [...said.texts, ...(failure ? [failure.message] : [])].map((text) => shownText(session, text)),
  });
}

function answerOf(
  session: Session,
  lines: readonly string[],
  facts: { total: number | null; complete: boolean; notes: readonly string[] },
): Answer {
  const { maxBytes, results } = session;
  let size = JSON.stringify(facts).length + 400;
  let shown = 0;
  while (shown < lines.length && size + Buffer.byteLength(lines[shown] ?? '') < maxBytes) {
    size += Buffer.byteLength(lines[shown] ?? '') + 1;
    shown += 1;
  }
  const items = lines.slice(0, shown).map((line) => plainOf(line));
  if (shown === lines.length) return { structured: { items, ...facts, next: null } };
  const parts = results.keep(lines);
  const kept = {
    resources: parts.length > 20 ? [parts[0], parts.at(-1)] : parts,
    parts: parts.length,
    says: `${shown} of ${lines.length} items are shown here; all ${lines.length} are in ${parts.length} resources, one JSON item a line, numbered from 1.`,
  };
  return { structured: { items, shown, read: lines.length, ...facts, next: parts[0], kept } };
}

function optionsOf(session: Session, given: ReadArguments, family: string): Record<string, unknown> {
  const chosen = [...(given.where ?? []), ...(given.sort ?? [])];
  // What a condition lets through would tell what is hidden.
  if (session.mask && chosen.some((text) => (text.match(/[\w.]+/g) ?? []).some((word) => isPersonal(word, family)))) {
    throw usage('where and sort cannot use what is masked here.');
  }
  return Object.fromEntries(
    Object.entries({
      from: given.from,
      to: given.to,
      last: given.last,
      where: given.where,
      sort: given.sort,
      limit: given.limit === undefined ? undefined : String(given.limit),
    }).filter(([, value]) => value !== undefined),
  );
}

function camel(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

import { type Command, Option } from 'commander';
import type { Family, Operation } from '../catalogue/types.js';
import { usage } from '../errors/errors.js';
import { pathParameters } from '../request/plan.js';
import { filterOptions } from '../request/query.js';
import { typedOptions } from '../request/typed-options.js';
import { collect } from './collect.js';
import type { Job } from './job.js';
import { nearest } from './words.js';

/** What was typed for an operation, before anything is read or checked against the service. */
export interface OperationInput {
  readonly family: Family;
  readonly operation: Operation;
  /** Positional words: ids in path order, then the term or text where the operation takes one. */
  readonly words: readonly string[];
  /** Option values by commander's camel-case name. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Filter values by query parameter. */
  readonly filters: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Typed body options by field. */
  readonly typed: Readonly<Record<string, string | boolean>>;
}

/** Adds one family's commands to the program; only the operation in use gets its options. */
export function addFamily(
  program: Command,
  family: Family,
  operation: Operation | undefined,
  run: (input: OperationInput) => Job,
  accept: (job: Job) => void,
): void {
  const command = family.name.replaceAll('_', '-');
  const top = program.command(command).description(family.summary);
  const groups = new Map<string, Command>();
  for (const candidate of operation ? [operation] : family.operations) {
    const words = candidate.action.split(' ');
    let parent = top;
    for (const [index, word] of words.slice(0, -1).entries()) {
      const path = words.slice(0, index + 1).join(' ');
      const group = groups.get(path) ?? parent.command(word);
      groups.set(path, group);
      parent = group;
    }
    const leaf = parent.command(words.at(-1) ?? candidate.action).description(candidate.summary);
    if (candidate === operation) addOperation(leaf, family, candidate, run, accept);
  }
}

function addOperation(
  leaf: Command,
  family: Family,
  operation: Operation,
  run: (input: OperationInput) => Job,
  accept: (job: Job) => void,
): void {
  leaf.argument('[words...]');
  const typed = operation.method === 'POST' ? typedOptions(operation) : [];
  const filters = filterOptions(operation);
  for (const option of operationOptions(operation)) leaf.addOption(option);
  for (const filter of filters) {
    const text = filter.field.type === 'boolean' ? `--${filter.option}` : `--${filter.option} <value>`;
    leaf.addOption(filter.field.many || filter.field.metadata ? new Option(text).argParser(collect) : new Option(text));
  }
  for (const { flag, type } of typed) {
    if (type === 'boolean') leaf.addOption(new Option(`--${flag}`)).addOption(new Option(`--no-${flag}`));
    else leaf.addOption(new Option(`--${flag} <value>`));
  }
  leaf.action((words: string[], _options: unknown, command: Command) => {
    const options = command.opts();
    // A doubled pair (--enabled, --no-enabled) has a default of true in the parser: only what was typed counts.
    const given = (name: string): unknown => (command.getOptionValueSource(name) === 'cli' ? options[name] : undefined);
    const filterValues: Record<string, string | boolean | readonly string[] | undefined> = {};
    for (const filter of filters) {
      const value = given(camel(filter.option));
      if (value !== undefined) filterValues[filter.name] = value as string | boolean | readonly string[];
    }
    const typedValues: Record<string, string | boolean> = {};
    for (const { flag, field } of typed) {
      const value = given(camel(flag));
      if (value !== undefined) typedValues[field] = value as string | boolean;
    }
    const chosen = Object.fromEntries(Object.keys(options).map((name) => [name, given(name)]));
    accept(run({ family, operation, words, options: chosen, filters: filterValues, typed: typedValues }));
  });
}

/** The options of an operation beside filters and typed fields, by what kind of operation it is. */
export function operationOptions(operation: Operation): Option[] {
  const options: Option[] = [];
  const { list } = operation;
  if (list?.style === 'windowed') {
    options.push(
      new Option('--from <when>', 'begin of the range: 2026-01-31, 2026-01-31T10:00, RFC 3339, unix seconds, 90d'),
      new Option('--to <when>', 'end of the range (default: now)'),
      new Option('--last <span>', 'the range that ends now: 30d, 12h, 6w, 3mo, 1y'),
      new Option('--oldest-first', 'read the oldest window first'),
      new Option('--no-range', 'send the list without dates'),
    );
  }
  if (list?.style === 'windowed' || list?.style === 'paged') {
    options.push(
      new Option('--limit <n>', 'items in all (default: 100 on a terminal, else no end)'),
      new Option('--all', 'no end'),
      new Option('--page-size <n>', 'items a request, 1 to 25'),
      new Option('--page <n>', 'only this page of one window'),
    );
  }
  if (operation.method === 'POST') {
    options.push(
      new Option('--body <json | @file | ->', 'the body: JSON, a JSON or YAML file, or standard input'),
      new Option('-d, --data <path=value>', 'set one field of the body; repeat for more').argParser(collect),
      new Option('--skeleton', 'print a body with every known field and send nothing'),
      new Option('--no-validate', 'send the body without checking it'),
    );
    if (operation.risk !== 'read') {
      options.push(
        new Option('--idempotency-key <key>', 'use this key instead of a new one'),
        new Option('--no-idempotency-key', 'send without a key: nothing is sent twice then'),
        new Option('--again', 'repeat a write whose outcome is unknown'),
      );
    }
    if (operation.action === 'edit' || operation.action.endsWith(' edit')) {
      options.push(new Option('--editor', 'open the current item in $EDITOR and send what changed'));
    }
    if (operation.wait) {
      options.push(
        new Option('--wait', 'wait until what it starts has ended'),
        new Option('--wait-limit <seconds>', `longest wait (default ${operation.wait.limitSeconds})`),
      );
    }
  }
  if (manyIds(operation)) {
    options.push(
      new Option('--concurrency <n>', 'requests at once when several ids are given'),
      new Option('--max-failures <n>', 'stop after this many failures when several ids are given'),
      new Option('--expect <count>', 'the number of ids that must be given'),
      new Option('--journal <file>', 'journal of a run over several ids'),
    );
  }
  return options;
}

/** True when an operation with one id takes several of them, or `-` (command line, section 1). */
export function manyIds(operation: Operation): boolean {
  return operation.method === 'POST' && pathParameters(operation).length === 1;
}

/** The error for words that name no action of a family. */
export function unknownAction(family: { command: string; actions: readonly { action: string }[] }, words: readonly string[]): Error {
  const typed = words[0];
  const actions = family.actions.map((entry) => entry.action);
  if (typed === undefined) {
    return usage(`cops ${family.command}: an action is missing.`, `Actions: ${actions.join(', ')}.`);
  }
  const near = nearest(typed, actions);
  return usage(
    `cops ${family.command}: there is no action "${typed}".`,
    near ? `Did you mean "cops ${family.command} ${near}"?` : `Actions: ${actions.join(', ')}.`,
  );
}

function camel(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

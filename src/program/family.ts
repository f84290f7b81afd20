import { type Command, Option } from 'commander';
import type { Family, Operation } from '../catalogue/types.js';
import type { Job } from '../command/done.js';
import { operationOptions } from '../commands/operation/options.js';
import { filterOptions } from '../request/query.js';
import { typedOptions } from '../request/typed-options.js';
import { collect } from './collect.js';

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
  for (const { flags, description, many } of operationOptions(operation)) {
    leaf.addOption(many ? new Option(flags, description).argParser(collect) : new Option(flags, description));
  }
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

function camel(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

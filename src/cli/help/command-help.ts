import { Command } from 'commander';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import type { CommandSpec, FamilyActionSpec } from '../../session/context/spec.js';
import { filterSpecs } from '../../session/operation/spec.js';
import { addAction, addCommand, emptyProgram } from '../parser/parser.js';

/** Help for a non-family command, or for the subcommand the words name. */
export function commandHelp(spec: CommandSpec, words: readonly string[]): string {
  let command = addCommand(emptyProgram(), spec, () => {});
  for (const word of words) {
    const below = command.commands.find((candidate) => candidate.name() === word);
    if (!below) break;
    command = below;
  }
  return `${wholeHelp(command)}\n`;
}

/** Help for a family's additional action. */
export async function familyActionHelp(family: string, spec: FamilyActionSpec): Promise<string> {
  const whole = await withFilters(family, spec);
  const top = { command: family.replaceAll('_', '-'), about: '' };
  return `${wholeHelp(addAction(new Command('cops'), top, { ...whole, about: `${spec.about}.` }, () => {}))}\n`;
}

/** A family's additional action with the filters of its list, if it takes them. */
export async function withFilters(family: string, spec: FamilyActionSpec): Promise<FamilyActionSpec> {
  if (!spec.listFilters) return spec;
  const list = findOperation(await loadFamily(family), 'list') as Operation;
  return { ...spec, options: [...(spec.options ?? []), ...filterSpecs(list)] };
}

/** Includes the surrounding texts, which `helpInformation()` omits. */
function wholeHelp(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

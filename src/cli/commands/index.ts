import type { CommandSpec, FamilyActionSpec } from '../../session/context/spec.js';
import { SPECS } from './specs.generated.js';

/** The commands besides the families, in help's listing order (command-line.md#grammar). */
export const COMMANDS: readonly CommandSpec[] = SPECS.filter((spec): spec is CommandSpec => 'place' in spec).sort(
  (a, b) => a.place - b.place,
);

const FAMILY_ACTIONS = SPECS.filter((spec): spec is FamilyActionSpec => 'families' in spec);

/** The command with a name. */
export function commandSpec(name: string): CommandSpec | undefined {
  return COMMANDS.find((spec) => spec.name === name);
}

/** The further actions of a family: those that are not operations of the service. */
export function familyActions(family: string): FamilyActionSpec[] {
  return FAMILY_ACTIONS.filter(({ families }) => families.includes(family));
}

/** The further action of a family that a word names. */
export function familyAction(family: string, word: string | undefined): FamilyActionSpec | undefined {
  const typed = word?.toLowerCase() ?? '';
  return familyActions(family).find(({ name, aliases }) => name === typed || aliases?.includes(typed));
}

import type { FamilyActionSpec } from '../../session/context/spec.js';
import { ACTION_SPECS } from './specs.generated.js';

/** The further actions of a family: those that are not operations of the service. */
export const familyActions = (family: string): FamilyActionSpec[] =>
  ACTION_SPECS.filter(({ families }) => families.includes(family));

/** The further action of a family that a word names. */
export function familyAction(family: string, word: string | undefined): FamilyActionSpec | undefined {
  const typed = word?.toLowerCase() ?? '';
  return familyActions(family).find(({ name, aliases }) => name === typed || aliases?.includes(typed));
}

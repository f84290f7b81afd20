import { familyByCommand } from '../../catalogue/index.js';
import { commandSpec } from '../index.js';

/** True for a word that is a command or family already and keeps its meaning. */
export function isReserved(word: string): boolean {
  return commandSpec(word) !== undefined || familyByCommand(word) !== undefined;
}

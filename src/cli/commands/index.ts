import type { CommandSpec } from '../../session/context/spec.js';
import { SPECS } from './specs.generated.js';

/** The commands besides the families, in help's listing order (command-line.md#grammar). */
export const COMMANDS: readonly CommandSpec[] = SPECS.toSorted((a, b) => a.place - b.place);

/** The command with a name. */
export const commandSpec = (name: string): CommandSpec | undefined => COMMANDS.find((spec) => spec.name === name);

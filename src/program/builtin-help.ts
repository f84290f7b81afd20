import type { Command } from 'commander';
import { loadBuiltin } from './builtins-load.js';
import { emptyProgram } from './parser.js';

/** Help of a command beside the families, from its own definition. */
export async function builtinHelp(name: string, words: readonly string[]): Promise<string> {
  const program = emptyProgram();
  const define = await loadBuiltin(name);
  define(program, () => {});
  let command: Command | undefined = program.commands.find((candidate) => candidate.name() === name);
  for (const word of words) {
    const below: Command | undefined = command?.commands.find((candidate) => candidate.name() === word);
    if (!below) break;
    command = below;
  }
  return command ? `${wholeHelp(command)}\n` : '';
}

/** With the texts around it, which `helpInformation()` leaves out. */
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

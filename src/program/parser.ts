import { Command } from 'commander';
import { GLOBAL_OPTIONS } from '../command/global-options.js';

/** A program with the global options and nothing else; errors come as exceptions. */
export function emptyProgram(): Command {
  const program = new Command('cops');
  for (const option of GLOBAL_OPTIONS) program.option(option.flags, option.description);
  program
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .helpCommand(false)
    .showSuggestionAfterError(true);
  return program;
}

import { operationOptions } from '../commands/operation/options.js';
import type { Define } from './define.js';

export const commands: Define = (program, accept) => {
  program
    .command('commands')
    .description('Every command of the families as data: cops commands -o json')
    .action(() => {
      accept(async () => {
        const { commandsList } = await import('../commands/commands-list.js');
        return commandsList((operation) =>
          operationOptions(operation).map((option) => option.flags.replace(/^-\w, /, '').replace(/ .*/, '')),
        );
      });
    });
};

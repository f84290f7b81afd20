import type { Context } from './context.js';
import type { Define } from './builtins-load.js';
import { wholeNumber } from '../commands/numbers.js';

export const history: Define = (program, accept) => {
  const command = program.command('history').description('What was written from this machine, and how it ended.');
  const facts = (context: Context) => ({
    configDir: context.configDir,
    notes: context.notes,
    now: () => context.world.now(),
  });
  command
    .command('list')
    .description('Writes, newest first.')
    .option('--limit <n>', 'at most this many')
    .option('--unknown', 'only those whose outcome is unknown')
    .action((options: { limit?: string; unknown?: boolean }) => {
      const limit = wholeNumber(options.limit, '--limit', 1);
      accept(async (context) => {
        const { historyList } = await import('../commands/history.js');
        const result = await historyList(facts(context), {
          ...(limit === undefined ? {} : { limit }),
          unknown: options.unknown === true,
        });
        return { result };
      });
    });
  command
    .command('show <id>')
    .description('One write with everything that is known of it.')
    .action((id: string) => {
      accept(async (context) => {
        const { historyShow } = await import('../commands/history.js');
        return { result: await historyShow(facts(context), id) };
      });
    });
  command
    .command('settle <id>')
    .description('Record what became of a write whose outcome was unknown.')
    .requiredOption('--as <outcome>', 'done or not-done')
    .option('--note <text>', 'how that was found out')
    .action((id: string, options: { as: string; note?: string }) => {
      accept(async (context) => {
        const { historySettle } = await import('../commands/history.js');
        return { result: await historySettle(facts(context), id, options.as, options.note) };
      });
    });
};

import type { Context } from '../command/context.js';
import { wholeNumber } from '../commands/numbers.js';
import { collect } from './collect.js';
import type { Define } from './define.js';

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

export const bulk: Define = (program, accept) => {
  const command = program
    .command('bulk')
    .description('One write over many ids or rows, with a journal that any stop can be resumed from.')
    .argument('<family-or-command>', 'a family, or status, resume, reconcile, retry-failed, report')
    .argument('<words...>', 'the action, or the journal')
    .option('--ids <file>', 'ids, one a line; - reads standard input')
    .option('--input <file>', 'rows: .csv, .tsv or .jsonl; - reads standard input')
    .option('-d, --data <path=value>', 'a field of every row; {column} stands for a cell', collect)
    .option('--empty <skip|null>', 'what an empty cell means: its field left out, or null (default: a fault)')
    .option('--concurrency <n>', 'requests at once (default 4)')
    .option('--max-failures <n>', 'stop after this many failures')
    .option('--stop-on-fraud', 'stop at the first fraud decision')
    .option('--expect <count>', 'the number of rows that there must be; confirms a live run together with --yes')
    .option('--journal <file>', 'where the journal goes')
    .option('--again', 'also rows that are unknown from earlier, or were done by another command meanwhile')
    .option('--no-idempotency-key', 'send without keys: nothing is sent twice then')
    .option('--no-validate', 'send bodies without checking them')
    .option('--apply', 'reconcile: record what was found');
  command.action((head: string, words: string[], options) => {
    accept(async (context) => {
      const { bulkCommand } = await import('../commands/bulk-command.js');
      return bulkCommand(context, head, words, options);
    });
  });
};

import { collect } from './collect.js';
import type { Define } from './define.js';

export const sandbox: Define = (program, accept) => {
  const command = program.command('sandbox').description('The embedded service on a database file of its own.');
  command
    .command('reset')
    .description('Lay the data out anew, backwards from today; what was there is gone.')
    .option('--seed <n>', 'equal seeds give equal data on the same day')
    .option('--size <size>', 'small, medium, large, or a number of renewals')
    .action((options) => {
      accept(async (context) => (await import('../commands/sandbox.js')).sandboxReset(context, options));
    });
  command
    .command('serve')
    .description('Serve it over HTTP for any client, until Ctrl-C; prints base URL and keys.')
    .option('--port <n>', 'port to listen on (default: any free one)')
    .option('--latency <ms>', 'answer later by this')
    .option('--rate-limit <n>', 'answer 429 above this many requests a second')
    .option('--fault <kind=share>', 'disturb this share of requests; repeat for more', collect)
    .option('--range-ends <in|out>', 'whether the ends of a date range belong to it')
    .action((options) => {
      accept(async (context) => (await import('../commands/sandbox.js')).sandboxServe(context, options));
    });
  command
    .command('status')
    .description('Where the data is, how much there is, what the clock says.')
    .action(() => {
      accept(async (context) => (await import('../commands/sandbox.js')).sandboxStatus(context));
    });
  command
    .command('clock [action] [value]')
    .description("Show or move the sandbox's clock: clock show | advance 40d | set 2026-12-31")
    .action((action: string | undefined, value: string | undefined) => {
      accept(async (context) =>
        (await import('../commands/sandbox.js')).sandboxClock(context, action ?? 'show', value),
      );
    });
};

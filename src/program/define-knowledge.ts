import type { Define } from './define.js';

export const reference: Define = (program, accept) => {
  program
    .command('reference [topic]')
    .description(
      'The fixed terms of the service, offline: events, payment-types, error-codes, statuses, body-codes, exit-codes, ' +
        'states, product-types, limits, permissions, addresses, sandbox. Without a topic: the topics.',
    )
    .action((topic: string | undefined) => {
      accept(async () => (await import('../commands/reference.js')).reference(topic));
    });
};

export const explain: Define = (program, accept) => {
  program
    .command('explain <word>')
    .description('What an error code, exit code, HTTP status, event, state, field or family means.')
    .action((word: string) => {
      accept(async () => (await import('../commands/explain.js')).explain(word));
    });
};

export const openapi: Define = (program, accept) => {
  const command = program
    .command('openapi')
    .description("The service's own description: fetched once per profile, compared with what cops knows, shown.");
  command
    .command('pull')
    .description(
      'Fetch {base_url}/openapi.json and keep it for this profile: it settles which lists take dates, and operations ' +
        'that only it knows become usable.',
    )
    .action(() => {
      accept(async (context) => (await import('../commands/openapi.js')).openapiPull(context));
    });
  command
    .command('check')
    .description('Compare the pulled description with what cops knows: new, missing and changed operations and fields.')
    .option('--strict', 'exit code 1 when there are differences')
    .action((options) => {
      accept(async (context) => (await import('../commands/openapi.js')).openapiCheck(context, options));
    });
  command
    .command('show [what...]')
    .description('Show the pulled description: its operations, or one of them by path, operation id or command words.')
    .action((what: string[]) => {
      accept(async (context) => (await import('../commands/openapi.js')).openapiShow(context, what));
    });
};

export const overview: Define = (program, accept) => {
  program
    .command('overview')
    .description('Counts and sums per currency of sales, renewals, refunds, chargebacks, trials and salvage, by day.')
    .option('--last <span>', 'the days that end now: 30d (default), 12w, 3mo')
    .option('--from <when>', 'begin of the range instead')
    .option('--to <when>', 'end of the range (default: now)')
    .option('--html <file>', 'write one page with charts that needs no network')
    .action((options) => {
      accept(async (context) => (await import('../commands/overview.js')).overview(context, options));
    });
};

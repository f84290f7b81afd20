import { collect } from './collect.js';
import type { Define } from './define.js';

export const api: Define = (program, accept) => {
  program
    .command('api <method> <path>')
    .description('Send any request to the service: GET or POST, with the same guards, bodies, paging and output.')
    .option('--param <name=value>', 'query parameter; repeat for more', collect)
    .option('--body <json | @file | ->', 'the body of a POST')
    .option('-d, --data <path=value>', 'one field of the body; repeat for more', collect)
    .option('--paginate', 'read all pages of a list')
    .option('--idempotency-key <key>', 'use this key instead of a new one')
    .option('--no-idempotency-key', 'send without a key')
    .option('--again', 'repeat a write whose outcome is unknown')
    .action((method: string, path: string, options) => {
      accept(async (context) => {
        const { apiCommand } = await import('../commands/api.js');
        return apiCommand(context, method, path, options);
      });
    });
};

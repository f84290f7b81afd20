import { type CommandSpec, subcommandRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'openapi',
  place: 130,
  about: "pull, check and show the service's own description",
  description: "The service's own description: fetched once per profile, compared with what cops knows, shown.",
  commands: subcommandRows({
    pull: {
      dryRun: 'shows',
      about:
        'Fetch {base_url}/openapi.json and keep it for this profile: it shows which lists take dates, and operations ' +
        'found only there become usable.',
    },
    check: {
      dryRun: 'reads',
      about: 'Compare the pulled description with what cops knows: new, missing and changed operations and fields.',
      options: [{ flags: '--strict', about: 'exit code 1 when there are differences' }],
    },
    show: {
      dryRun: 'reads',
      about:
        'Show the pulled description: its operations, or one of them by path, operation id or command words; --raw ' +
        'prints the whole document.',
      arguments: [{ name: '[what...]', values: 'operation' }],
    },
  }),
  examples: ['openapi pull', 'openapi check', 'openapi show', 'openapi show --raw'],
};

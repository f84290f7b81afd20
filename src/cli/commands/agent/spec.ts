import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'agent',
  dryRun: 'reads',
  place: 98,
  about: 'a page for agents: which command to use when, exit codes, rules',
  description:
    'A page in Markdown for programs that use these commands: which one to use for each task, and the rules.',
  examples: ['agent', 'agent --no-pager', 'agent --quiet'],
};

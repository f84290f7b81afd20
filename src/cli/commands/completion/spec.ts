import { argumentRows, type CommandSpec, subcommandRows } from '../../../session/context/spec.js';
import { SHELLS } from '../../completion/shells.js';

export const spec: CommandSpec = {
  name: 'completion',
  dryRun: 'reads',
  place: 180,
  about: 'shell completion for bash, zsh, fish and PowerShell',
  description: 'Completion on the Tab key: printed for a shell, or installed.',
  usage: `${SHELLS.join('|')}\n       cops completion install|uninstall [shell]\n       cops completion forget`,
  arguments: argumentRows({
    '<shell>': { about: `print the script for ${SHELLS.slice(0, -1).join(', ')} or ${SHELLS.at(-1)}`, values: SHELLS },
  }),
  commands: subcommandRows({
    install: {
      about: 'Write the script to the place where the shell looks for it (default: the current shell), without asking.',
      arguments: [{ name: '[shell]', values: SHELLS }],
    },
    uninstall: { about: 'Remove the script that install wrote.', arguments: [{ name: '[shell]', values: SHELLS }] },
    forget:
      'Forget the ids seen so far. They are kept on this machine for completion only: id, name and date, the last ' +
      'few hundred of each family. COPS_ID_CACHE=0 or `cops config set id_cache false` keeps none.',
  }),
  examples: ['completion bash', 'completion install zsh', 'completion forget'],
};

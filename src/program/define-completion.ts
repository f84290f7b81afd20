import type { Define } from './define.js';

export const completion: Define = (program, accept) => {
  const load = () => import('../commands/completion.js');
  const command = program
    .command('completion')
    .description('Completion at the Tab key: printed for a shell, or installed for it.')
    .usage('bash|zsh|fish|powershell\n       cops completion install|uninstall [shell]\n       cops completion forget')
    .argument('<shell>', 'print the script for bash, zsh, fish or powershell');
  command.action((shell: string) => {
    accept(async () => (await load()).printScript(shell));
  });
  command
    .command('install [shell]')
    .description('Write the script where the shell looks for it (default: the shell in use); asks nothing.')
    .action((shell: string | undefined) => {
      accept(async (context) => (await load()).installCompletion(context, shell));
    });
  command
    .command('uninstall [shell]')
    .description('Remove what install wrote.')
    .action((shell: string | undefined) => {
      accept(async (context) => (await load()).uninstallCompletion(context, shell));
    });
  command
    .command('forget')
    .description(
      'Forget the ids that were seen. They are kept on this machine for completion only: id, name and date, the last ' +
        'few hundred of each family. COPS_ID_CACHE=0 or `cops config set id_cache false` keeps none.',
    )
    .action(() => {
      accept(async (context) => (await load()).forgetCompletion(context));
    });
};

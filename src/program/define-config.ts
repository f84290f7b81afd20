import { familyByCommand } from '../catalogue/index.js';
import { DOCTOR_OPTIONS } from '../commands/doctor.js';
import { BUILTINS } from './builtins.js';
import type { Define } from './define.js';

export const config: Define = (program, accept) => {
  const command = program.command('config').description('Settings of the profile in use, and aliases.');
  const reserved = (word: string) => BUILTINS.some((each) => each.name === word) || familyByCommand(word) !== undefined;
  const load = () => import('../commands/config.js');
  command
    .command('path')
    .description('Where the configuration file is.')
    .action(() => accept(async (context) => ({ result: await (await load()).configPath(context) })));
  command
    .command('list')
    .description('All settings and aliases.')
    .action(() => accept(async (context) => ({ result: await (await load()).listConfig(context) })));
  command
    .command('get <name>')
    .description('One value.')
    .action((name: string) =>
      accept(async (context) => ({ result: await (await load()).getConfig(context, { name }) })),
    );
  command
    .command('set <name> <value>')
    .description('Set one; alias.<word> defines an alias.')
    .action((name: string, value: string) =>
      accept(async (context) => ({ result: await (await load()).setConfig(context, { name, value, reserved }) })),
    );
  command
    .command('unset <name>')
    .description('Back to the default; forgets an alias.')
    .action((name: string) =>
      accept(async (context) => ({ result: await (await load()).unsetConfig(context, { name }) })),
    );
};

export const doctor: Define = (program, accept) => {
  const command = program.command('doctor').description('Check configuration, keys and connection.');
  for (const option of DOCTOR_OPTIONS) command.option(option.flags, option.description);
  command.action((options) =>
    accept(async (context) => {
      const [{ doctor: run }, { probeCandidate }] = await Promise.all([
        import('../commands/doctor.js'),
        import('../commands/login/probe-candidate.js'),
      ]);
      return run(context, {
        ...options,
        nodeVersion: context.world.nodeVersion,
        probe: (candidate) => probeCandidate(context, candidate),
      });
    }),
  );
};

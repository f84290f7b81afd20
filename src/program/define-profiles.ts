import type { Command } from 'commander';
import type { Context } from '../command/context.js';
import type { Done } from '../command/done.js';
import { LOGIN_OPTIONS, login as runLogin } from '../commands/login.js';
import type { CommandOption } from '../commands/profile-input.js';
import {
  addProfile,
  editProfile,
  listProfiles,
  PROFILE_OPTIONS,
  removeProfile,
  renameProfile,
  showProfile,
  useProfile,
} from '../commands/profiles.js';
import type { Result } from '../output/types.js';
import type { Define } from './define.js';

/** Options whose texts live beside the commands that read them: loaded with their chunk. */
function withOptions(command: Command, options: readonly CommandOption[]): Command {
  for (const option of options) command.option(option.flags, option.description);
  return command;
}

async function done(result: Promise<Result>): Promise<Done> {
  return { result: await result };
}

export const login: Define = (program, accept) => {
  const command = program
    .command('login [name]')
    .description('File a profile: asks for what is missing, checks each key with one call.');
  withOptions(command, LOGIN_OPTIONS).action((name: string | undefined, options) => {
    accept(async (context) => {
      const { probeCandidate } = await import('../commands/login/probe-candidate.js');
      const probe = (candidate: Parameters<typeof probeCandidate>[1]) => probeCandidate(context, candidate);
      return done(runLogin(context, { ...options, ...given('name', name), probe }));
    });
  });
};

export const logout: Define = (program, accept) => {
  program
    .command('logout [name]')
    .description("Forget a profile's keys (one of them with --live or --test); its settings stay.")
    .action((name: string | undefined) => {
      accept(async (context) => done((await import('../commands/logout.js')).logout(context, given('name', name))));
    });
};

export const whoami: Define = (program, accept) => {
  program
    .command('whoami')
    .description('Profile, mode and key in use; with --verbose where each value comes from.')
    .action(() => {
      accept(async (context) => done((await import('../commands/whoami.js')).whoami(context)));
    });
};

export const mode: Define = (program, accept) => {
  program
    .command('mode [test|live]')
    .description('Show the mode that the profile begins with, or set it.')
    .action((chosen: string | undefined) => {
      accept(async (context) => done((await import('../commands/mode.js')).mode(context, given('mode', chosen))));
    });
};

export const profiles: Define = (program, accept) => {
  const command = program.command('profiles').description('Profiles: addresses, keys, modes and defaults.');
  const run = (action: (context: Context) => Promise<Result>): void => accept((context) => done(action(context)));
  command
    .command('list')
    .description('All profiles.')
    .action(() => run(listProfiles));
  command
    .command('show [name]')
    .description('One profile as it is stored, keys masked.')
    .action((name?: string) => run((context) => showProfile(context, given('name', name))));
  withOptions(
    command
      .command('add <name>')
      .usage('<name> --base-url <url> [options]')
      .description(
        'File a profile without asking or calling anything. --base-url, --tz and --rate are stored with it.',
      ),
    PROFILE_OPTIONS,
  ).action((name: string, options) => run((context) => addProfile(context, { ...options, name })));
  withOptions(
    command
      .command('edit <name>')
      .description('Change a profile; --base-url, --tz and --rate are stored with it as well.'),
    PROFILE_OPTIONS,
  ).action((name: string, options) => run((context) => editProfile(context, { ...options, name })));
  command
    .command('use <name>')
    .description('Use this profile when a line does not say.')
    .action((name: string) => run((context) => useProfile(context, { name })));
  command
    .command('rename <from> <to>')
    .description('Give a profile another name.')
    .action((from: string, to: string) => run((context) => renameProfile(context, { from, to })));
  command
    .command('remove <name>')
    .description('Remove a profile and forget its keys.')
    .action((name: string) => run((context) => removeProfile(context, { name })));
};

function given<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: string };
}

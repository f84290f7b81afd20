import { SETTINGS, type Setting } from '../../../account/profiles/settings.js';
import {
  type ArgumentSpec,
  type CommandSpec,
  KEY_OPTIONS,
  type OptionSpec,
  subcommandRows,
} from '../../../session/context/spec.js';

/** The options for settings, besides the global ones (`--base-url`, `--tz`, `--rate`), which are stored as well. */
const STORED: readonly OptionSpec[] = [...KEY_OPTIONS, ...SETTINGS.flatMap(settingOptions)];

function settingOptions({ option, about, default: usual, off }: Setting): OptionSpec[] {
  if (option === undefined) return [];
  const flag = { flags: option, about: about.replace(`${usual}`, `${usual} (default)`) };
  return off === undefined ? [flag] : [flag, { flags: option.replace('--', '--no-'), about: off }];
}

const profile = (name: string): readonly ArgumentSpec[] => [{ name, values: 'profile' }];

export const spec: CommandSpec = {
  name: 'profiles',
  place: 40,
  about: 'add, list, show, use, edit, rename, remove profiles',
  description: 'Profiles: addresses, keys, modes and defaults.',
  commands: subcommandRows({
    list: { dryRun: 'reads', about: 'List all profiles.' },
    show: { dryRun: 'reads', about: 'Show one profile as stored, with keys masked.', arguments: profile('[name]') },
    add: {
      dryRun: 'shows',
      about:
        'Save a profile without asking questions or calling the service. --base-url, --tz and --rate are stored with it.',
      arguments: [{ name: '<name>' }],
      usage: '<name> --base-url <url> [options]',
      options: STORED,
    },
    edit: {
      dryRun: 'shows',
      about: 'Change a profile; --base-url, --tz and --rate are stored with it as well.',
      arguments: profile('<name>'),
      options: STORED,
    },
    use: {
      dryRun: 'shows',
      about: 'Use this profile for commands that do not name one.',
      arguments: profile('<name>'),
    },
    rename: {
      dryRun: 'shows',
      about: 'Rename a profile.',
      arguments: [{ name: '<from>', values: 'profile' }, { name: '<to>' }],
    },
    remove: { dryRun: 'shows', about: 'Remove a profile and its keys.', arguments: profile('<name>') },
  }),
  examples: [
    'profiles list',
    'profiles add acme --base-url https://api.example.com/v2 --test-key env:ACME_TEST_KEY',
    'profiles use acme',
  ],
};

import { type CommandSpec, KEY_OPTIONS } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'login',
  dryRun: 'shows',
  place: 10,
  about: 'file a profile with its keys and check them',
  description: 'File a profile: asks for what is missing, checks each key with one call.',
  arguments: [{ name: '[name]', values: 'profile' }],
  options: [
    ...KEY_OPTIONS,
    { flags: '--mode <mode>', about: 'test (default) or live, when a line does not say' },
    { flags: '--replace', about: 'put new keys in the place of those that are filed' },
    { flags: '--no-check', about: 'do not call the service to check the keys' },
  ],
  examples: ['login', 'login acme --base-url https://api.example.com/v2', 'login acme --replace'],
};

import { type CommandSpec, KEY_OPTIONS } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'login',
  dryRun: 'shows',
  place: 10,
  about: 'save a profile with its keys and check them',
  description: 'File a profile: asks for what is missing, checks each key with one call.',
  arguments: [{ name: '[name]', values: 'profile' }],
  options: [
    ...KEY_OPTIONS,
    { flags: '--mode <mode>', about: 'test (default) or live, if a command does not say' },
    { flags: '--replace', about: 'replace the stored keys with new ones' },
    { flags: '--no-check', about: 'do not call the service to check the keys' },
  ],
  examples: ['login', 'login acme --base-url https://api.example.com/v2', 'login acme --replace'],
};

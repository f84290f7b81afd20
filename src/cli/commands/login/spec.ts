import { type CommandSpec, KEY_OPTIONS } from '../../../session/context/spec.js';

export const spec = {
  name: 'login',
  dryRun: 'shows',
  place: 10,
  about: 'save a profile with its keys and check them',
  description: 'Store a profile: asks for anything missing, and checks each key with one call.',
  arguments: [{ name: '[name]', values: 'profile' }],
  options: [
    ...KEY_OPTIONS,
    { flags: '--mode <mode>', about: 'test (default) or live, for commands that do not say' },
    { flags: '--replace', about: 'replace the stored keys with new ones' },
    { flags: '--no-check', about: 'do not call the service to check the keys' },
  ],
  examples: ['login', 'login acme --base-url https://api.example.com/v2', 'login acme --replace'],
} as const satisfies CommandSpec;

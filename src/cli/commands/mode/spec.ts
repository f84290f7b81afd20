import { argumentRows, type CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'mode',
  dryRun: 'shows',
  place: 50,
  about: 'show or set the mode of the profile: test or live',
  description: "Show the profile's default mode, or set it.",
  arguments: argumentRows({
    '[test|live]': {
      values: [
        ['test', 'no money moves'],
        ['live', 'real customers, real money'],
      ],
    },
  }),
  examples: ['mode', 'mode test', 'mode test -p acme'],
};

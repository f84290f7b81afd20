import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'open',
  dryRun: 'reads',
  place: 95,
  about: 'show the address of an item in the web application',
  description:
    "Show the address of an item in the web application, by the profile's web_url: a pattern with {family} and {id}.",
  arguments: [{ name: '<id>', about: 'an id of any family' }],
  options: [{ flags: '--family <family>', about: 'the family of the id, if known' }],
  examples: [
    'open xhbVfLBuuTjHMRBGlHRc --family subscriptions',
    'open tmjx22EQ9S8ZOpJ4tGCQ',
    'config set web_url https://app.example.com/{family}/{id}',
  ],
};

import { FOLLOWED_FAMILIES } from '../../../catalogue/index.js';
import { DEFAULTS, type FamilyActionSpec } from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'tail',
  dryRun: 'shows',
  aliases: ['watch', 'follow'],
  families: FOLLOWED_FAMILIES,
  about: 'Show new items as they arrive, until Ctrl-C',
  options: [
    { flags: '--interval <seconds>', about: `pause between two looks (default ${DEFAULTS.tailInterval})` },
    { flags: '--since <span>', about: 'start this long ago instead of now: 30min, 1h, 2d' },
  ],
  listFilters: true,
  examples: ['sales tail', 'transactions tail --since 1h', 'api-calls tail --interval 2'],
};

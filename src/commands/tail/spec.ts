import { DEFAULTS } from '../../command/defaults.js';
import type { FamilyActionSpec } from '../../command/spec.js';

export const spec: FamilyActionSpec = {
  name: 'tail',
  families: ['api_calls', 'site_events', 'site_logs'],
  about: 'Show new items as they come, until Ctrl-C',
  options: [
    { flags: '--interval <seconds>', about: `pause between two looks (default ${DEFAULTS.tailInterval})` },
    { flags: '--since <span>', about: 'begin this long ago instead of now: 30m, 1h, 2d' },
  ],
  listFilters: true,
};

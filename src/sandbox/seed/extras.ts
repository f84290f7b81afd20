import type { AccountData, SeedScene } from './account.js';
import type { Made } from './life.js';
import type { SiteData } from './site.js';

/** Seeds what hangs on some purchases only: disputes, wallet and offline payments, and the rest of the set-up. */
export function seedExtras(_scene: SeedScene, _account: AccountData, _made: Made, _site: SiteData): void {}

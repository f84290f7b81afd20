/** Figures on a terminal say whose they are, as every list does; a pipe gets the figures alone. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { home } from './helpers.js';

it('the overview and the reports name mode and profile on a terminal', { tags: ['thorough'] }, async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const mirror = path.join(cops.folder, 'm.sqlite');
  const overview = ['overview', '--last', '2d', '-o', 'table'];
  const shown = await cops.run(overview, { terminal: 100 });
  expect(shown.stdout).toMatch(/^TEST mode, profile sandbox\nOverview, /);
  expect((await cops.run(overview)).stdout).toMatch(/^Overview, /);
  const live = await cops.run([...overview, '--live'], { terminal: 100, env: { NO_COLOR: '1' } });
  expect(live.stdout).toMatch(/^LIVE mode, profile sandbox \(no real money\)\n/);
  const synced = await cops.run(['sync', mirror, 'chargebacks', '--yes']);
  expect(synced.code, synced.stderr).toBe(0);
  const report = ['report', 'chargebacks', '--last', '7d', '--mirror', mirror, '-o', 'table'];
  expect((await cops.run(report, { terminal: 100 })).stdout).toMatch(/^TEST mode, profile sandbox\n/);
  expect((await cops.run(report)).stdout).not.toContain('TEST mode');
});

/** @module-tag thorough */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { QuickClock } from '../../harness/clock.js';
import { json } from '../helpers.js';
import { sandboxHome } from './helpers.js';

const PROMOTE = ['setup', 'promote', '--from', 'sandbox:test', '--to', 'sandbox:live', '--yes'];

it('continues after a stop, and creates no object twice', { tags: ['inside'], timeout: 120_000 }, async () => {
  const { home } = await sandboxHome('--live-data', 'empty');
  const clock = new QuickClock(Date.now());
  let minted = 0;
  const running = home.start(PROMOTE, {
    cwd: home.folder,
    clock,
    // After some steps and long before the last: each is given a key of its own.
    uuid: () => {
      minted += 1;
      if (minted === 12) running.signal('SIGINT');
      return randomUUID();
    },
  });
  running.endInput();
  const stopped = await running.ended;
  expect(stopped.code, stopped.stderr).toBe(130);
  const folder = path.join(home.env.COPS_DATA_DIR ?? '', 'journals');
  const name = readdirSync(folder).find((file) => file.endsWith('.journal')) ?? '';
  const journal = path.join(folder, name);
  const resumed = await home.run(['-p', 'sandbox', '--live', 'setup', 'resume', journal, '--yes'], {
    cwd: home.folder,
    clock,
  });
  expect(resumed.stdout, resumed.stderr).not.toBe('');
  const end = json<{ done: number; steps: number; unknown: string[]; failed: string[] }>(resumed);
  expect(end).toMatchObject({ unknown: [], failed: [], done: end.steps - 3 });
  for (const family of ['products', 'functions', 'ai-assistants', 'payment-profiles', 'key-values', 'coupons']) {
    const words = [
      '-p',
      'sandbox',
      '--live',
      family,
      'list',
      '--all',
      ...(family === 'products' ? ['--last', '1d'] : []),
    ];
    const names = json<{ name?: string; key?: string; coupon_code?: string }[]>(await home.run(words)).map(
      ({ name, key, coupon_code: code }) => code ?? key ?? name,
    );
    expect(new Set(names).size, family).toBe(names.length);
    expect(names.length, family).toBeGreaterThan(0);
  }
  const again = await home.run(['-p', 'sandbox', '--live', 'bulk', 'resume', journal]);
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain('setup resume');
});

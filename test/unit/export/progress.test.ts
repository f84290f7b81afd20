import { expect, it } from 'vitest';
import { Progress } from '../../../src/data/export/progress.js';
import { depsFor } from './harness.js';

it('tells windows, items, items a second, requests, refusals, readings and the time left', () => {
  let now = 1_000_000;
  const told: string[] = [];
  const { notes } = depsFor({ send: () => Promise.reject(), close: async () => {} });
  const progress = new Progress(
    { ...notes, progress: (text) => told.push(text) },
    () => now,
    () => 40,
  );
  for (let second = 1; second <= 8; second++) {
    now += 1000;
    progress.items += 1500;
    progress.requests += 60;
    progress.windowsDone += 1;
    if (second === 5) progress.refused = 2;
    if (second === 6) progress.reread = 1;
    progress.show();
  }
  expect(told.at(0)).toBe('1/40 windows · 1,500 items · 1,500/s · 39 s left · 60 requests');
  expect(told.at(-1)).toBe('8/40 windows · 12,000 items · 1,500/s · 32 s left · 480 requests · 2 × 429 · 1 read again');
});

it('tells the share and the time left of the whole that it is a part of', () => {
  let now = 1_000_000;
  const told: [string, number | undefined][] = [];
  const progress = new Progress(
    { progress: (text, share) => told.push([text, share]) },
    () => now,
    () => 1,
    { began: now, share: (own) => (48 + own) / 60 },
  );
  now += 8000;
  progress.requests = 1;
  // More windows than were foreseen are no more than all of them.
  progress.windowsDone = 5;
  progress.took(800);
  expect(told).toEqual([['800 items · 100/s · 2 s left', 49 / 60]]);
});

it('tells no time while nothing is known of it', () => {
  const { notes } = depsFor({ send: () => Promise.reject(), close: async () => {} });
  const progress = new Progress(
    notes,
    () => 1000,
    () => 40,
  );
  expect(progress.text()).toBe('0/40 windows · 0 items · 0.0/s · 0 requests');
});

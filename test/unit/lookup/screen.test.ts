import { expect, it } from 'vitest';
import { screenOf } from '../../../src/session/lookup/screen.js';

it('calls none only what was looked for and is not there', async () => {
  const empty = { columns: [], items: [], command: '' };
  const sections = [
    { ...empty, word: 'subscriptions', total: 2 },
    { ...empty, word: 'parcels', isCut: true },
    { ...empty, word: 'cards', total: 0 },
  ];
  const sheet = { heading: ['Ana'], facts: [], sections, notRead: [], next: [] };
  const text = await screenOf(sheet, { rows: 3, day: String, tz: 'UTC', color: false, width: 80 });
  expect(text).toContain('None: cards.');
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellsOfCopy, copyCell, storedName } from '../../../src/data/mirror/team/team-layout.js';
import { CopyBytes } from '../../../src/data/mirror/team/team-lines.js';

it('brings any item through COPY as it came', () => {
  fc.assert(
    fc.property(fc.array(fc.json({ stringUnit: 'binary' })), fc.nat(2), (items, space) => {
      const bytes = new CopyBytes();
      const texts = items.map((item) => JSON.stringify(JSON.parse(item), null, space));
      for (const text of texts) {
        bytes.text('id\t');
        bytes.json(Buffer.from(text));
        bytes.text('\n');
      }
      const lines = Buffer.concat(bytes.parts).toString('utf8').split('\n').slice(0, -1);
      expect(lines.map((line) => cellsOfCopy(line)[1])).toEqual(texts.map((text) => Buffer.from(text).toString()));
    }),
  );
});

it.each([
  ['numeric', '12.50', '12.50'],
  ['numeric', 'twelve', undefined],
  ['boolean', 1n, 't'],
  ['boolean', 2n, undefined],
  ['timestamptz', 0n, '1970-01-01T00:00:00.000Z'],
  ['timestamptz', 1e18, undefined],
  ['timestamptz', 'yesterday', undefined],
  ['text', 'a\tb\\', 'a\\tb\\\\'],
  ['text', 'a\0b', undefined],
  ['text[]', '["a","b\\"c"]', '{"a","b\\\\"c"}'],
  ['text[]', '[1]', undefined],
  ['text', null, '\\N'],
] as const)('a %s takes %s as %s', (type, value, cell) => {
  expect(copyCell(value, type)).toBe(cell);
});

it('keeps names apart that are too long for PostgreSQL', () => {
  const long = 'settings_trigger_settings_account_event_filters_wallet_dispute_filter';
  const [one, other] = [storedName(`${long}_a`), storedName(`${long}_b`)];
  expect(one).not.toBe(other);
  expect([one, other].map((name) => Buffer.byteLength(name))).toEqual([63, 63]);
  expect(storedName('short')).toBe('short');
});

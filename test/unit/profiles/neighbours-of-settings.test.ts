import { expect, it } from 'vitest';
import { settingByName } from '../../../src/account/profiles/setting-checks.js';

it.each([
  ['timezone', /Did you mean tz\?/],
  ['time-zone', /Did you mean tz\?/],
  ['Time_Zone', /Did you mean tz\?/],
  ['newest_version', /Did you mean \w+\?/],
])('leads from %s to the setting that is about it', (word, near) => {
  expect(() => settingByName(word)).toThrow(near);
});

it('proposes nothing for a word that no setting is about', () => {
  expect(() => settingByName('zebra')).toThrow(/^There is no setting "zebra"\.$/);
});

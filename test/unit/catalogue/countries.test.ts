import { describe, expect, it } from 'vitest';
import { countryMeant, formatFault, isCountry } from '../../../src/catalogue/value-formats.js';

describe('a country by another name', () => {
  it.each([
    ['DE', 'DEU'],
    ['gb', 'GBR'],
    ['UK', 'GBR'],
    ['us', 'USA'],
    ['Germany', 'DEU'],
    [' united states ', 'USA'],
    ['Zimbabwe', 'ZWE'],
    ['Åland Islands', 'ALA'],
  ])('is refused with its code: %s is %s', (text, code) => {
    expect(formatFault('country', text)).toBe(
      `is not a country by its three letters of ISO 3166-1 (${text.trim()} is ${code})`,
    );
  });

  it.each(['XX', 'ZZ', 'Deutschland', '', 'D', 'deu'])('means none: %j', (text) => {
    expect(countryMeant(text)).toBeUndefined();
  });

  it('has two letters for each code of three', () => {
    const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
    const meant = letters.flatMap((one) => letters.map((two) => countryMeant(one + two)).filter((code) => code));
    expect(new Set(meant).size).toBe(249);
    expect(meant.every((code) => isCountry(code ?? ''))).toBe(true);
  });
});

/** Characters that people type, and programs insert, for an apostrophe. */
const APOSTROPHES = /[`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\uff07]/g;
/** Letters that readers consider equal but that do not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** A text normalised for comparison: without case and accents, and with a single kind of apostrophe. */
export function fold(text: string): string {
  const plain = text.replace(APOSTROPHES, "'");
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.toLowerCase();
  const bare = plain.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

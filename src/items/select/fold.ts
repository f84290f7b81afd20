/** Signs that people type, and programs put, in the place of an apostrophe. */
const APOSTROPHES = /[`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\uff07]/g;
/** Letters that are one to a reader and do not come apart into a plain one and its sign. */
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

/** A text as it is compared: without capitals and accents, and with one kind of apostrophe. */
export function fold(text: string): string {
  const plain = text.replace(APOSTROPHES, "'");
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.toLowerCase();
  const bare = plain.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

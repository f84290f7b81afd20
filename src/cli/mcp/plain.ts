import { Digits, type Lossless, parseLossless } from '../../items/json/lossless.js';

/** JSON text as plain values; a number of which JavaScript would lose a digit becomes a string of them. */
export function plainOf(raw: string): unknown {
  return plain(parseLossless(raw));
}

function plain(value: Lossless): unknown {
  if (value instanceof Digits) return isExact(value.text) ? Number(value.text) : value.text;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, one]) => [name, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function isExact(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= 15 && Number.isFinite(Number(text));
}

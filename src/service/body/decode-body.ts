import { local } from '../../base/errors/errors.js';

/**
 * The text of a file or of standard input, whatever a usual editor or shell wrote: UTF-8 with or without a byte
 * order mark, UTF-16 of either order (PowerShell redirects write it). Line ends stay as they are. Throws a local
 * error (exit code 11) for anything else; `name` says what was read.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw local(`${name} is not text in UTF-8 or UTF-16`, 'Save it as UTF-8.', cause);
  }
  if (text.includes('\u0000')) throw local(`${name} holds binary data, not text`);
  return text;
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: JSON and YAML begin with an ASCII character, so one of the first two bytes is zero.
  if (bytes.length >= 2 && bytes.length % 2 === 0) {
    if (first !== 0 && second === 0) return 'utf-16le';
    if (first === 0 && second !== 0) return 'utf-16be';
  }
  return 'utf-8';
}

/**
 * Characters that must not reach a terminal: C0 and C1 controls and DEL; marks that change text direction; invisible
 * characters that can hide text (zero-width space, word joiners, byte order mark, soft hyphen, line and paragraph
 * separators, annotation marks, tags). The joiners U+200C and U+200D stay: Persian names and composed emoji need them,
 * and they move nothing.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;
/** The same except line feed, for text with lines of its own. */
const UNSAFE_IN_LINES =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;
const PLAIN_ASCII = /^[\x20-\x7e]*$/;

function visible(found: string): string {
  let text = '';
  for (let i = 0; i < found.length; i++) text += `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}

/**
 * Makes foreign text safe for a terminal, on one line: dangerous or invisible characters show as `\u001b`, a line end
 * as `⏎`.
 */
export function sanitise(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text.replace(/\r\n|\n|\r/g, '⏎').replace(UNSAFE, (found) => (found === '\t' ? ' ' : visible(found)));
}

/**
 * Makes text of several lines safe for a terminal, keeping its line feeds. JSON stays valid: the replacements are JSON
 * escapes, and raw control characters can occur only inside its strings.
 */
export const sanitiseLines = (text: string): string => text.replace(UNSAFE_IN_LINES, visible);

/** Makes text inert, except for the colours its maker added. */
export const sanitiseUnpainted = (text: string): string =>
  text
    .split(/(\u001b\[[0-9;]*m)/)
    .map((part, at) => (at % 2 === 1 ? part : sanitiseLines(part)))
    .join('');

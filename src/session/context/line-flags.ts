import { familyByCommand } from '../../catalogue/index.js';

/** Commands beside the families that ask the service, or keep something, for a profile and a mode. */
const OF_A_PROFILE: ReadonlySet<string> = new Set(
  'api bulk export find mcp open openapi overview report setup sql sync timeline whoami why'.split(' '),
);

/** A text whose commands are ready to be pasted: with the `lineFlags` of the line that they answer. */
export function withLineFlags(text: string, flags: readonly string[]): string {
  if (flags.length === 0 || !text.includes('cops ')) return text;
  // A login is of a profile, in both modes.
  const unmoded = flags.filter((flag) => flag !== '--live' && flag !== '--test');
  return text.replace(/\bcops ([a-z][a-z-]*)\b(?![^";\n]* (?:-p|--profile|--live|--test)\b)/g, (all, word: string) => {
    if (word === 'login') return ['cops', ...unmoded, word].join(' ');
    return OF_A_PROFILE.has(word) || familyByCommand(word) ? `cops ${flags.join(' ')} ${word}` : all;
  });
}

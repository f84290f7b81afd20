/** What speaks for the operator at a moment of danger: it is typed with each use, never kept in a name. */
const CONSENTS = /^--(yes|mode-unproven|send-key-to)(=|$)/;

/** True for `--yes`, for `-y`, alone or among other letters (`-qy`), and for the other options that consent. */
export function confirms(word: string): boolean {
  // What follows -p, -o or -d is their value.
  return CONSENTS.test(word) || /^-[a-ce-nq-zA-Z]*y/.test(word);
}

/** True for an option whose very name has a place in it (`--yes$2`, `-$1`): nobody could tell what it becomes. */
export function hidesName(word: string): boolean {
  return /^-[^=]*\$[1-9]/.test(word);
}

/** Splits a template into arguments: spaces part them, single and double quotes keep them together. */
export function splitTemplate(template: string): string[] {
  const words: string[] = [];
  for (const match of template.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"']+))+/g)) {
    words.push(
      match[0].replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    );
  }
  return words;
}

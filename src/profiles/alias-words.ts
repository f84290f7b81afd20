/** True for `--yes` and for `-y`, alone or among other letters (`-qy`). */
export function confirms(word: string): boolean {
  return word === '--yes' || /^-[qvh]*y/.test(word);
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

export function writeSchemas(where: {
  run(words: readonly string[]): string;
  readonly url: string;
  readonly work: string;
  readonly output: string;
}): number;

export function writeFormulas(release: {
  readonly version: string;
  readonly url: string;
  readonly sums: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  readonly output: string;
}): string[];

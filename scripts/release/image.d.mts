export function sourcesOf(snapshot?: string): string[];
export function layRoot(parts: {
  readonly archive: string;
  readonly executable: string;
  readonly notices: string;
  readonly work: string;
  readonly seconds: number;
}): string;
export function containerfile(): string;

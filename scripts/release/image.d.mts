export function sourcesOf(snapshot?: string): string[];
export function layRoot(parts: {
  readonly archive: string;
  readonly executable: string;
  readonly notices: string;
  readonly work: string;
  readonly seconds: number;
}): string;
export function containerfile(): string;
export function fetchLibraries(parts: {
  readonly work: string;
  readonly seconds: number;
  readonly snapshot?: string;
  readonly packages?: readonly string[];
}): { readonly archive: string; readonly packages: readonly string[] };

/** What became of one command: `fault` says what was wrong, undefined where all is well. */
export interface Tried {
  readonly line: string;
  readonly status: number | null;
  readonly wanted: number;
  readonly fault?: string | undefined;
}
export function smoke(program: string, folder: string): Tried[];

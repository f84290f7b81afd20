/** The result of one command: `fault` says what is wrong, undefined if all is well. */
export interface Tried {
  readonly line: string;
  readonly status: number | null;
  readonly wanted: number;
  readonly fault?: string | undefined;
}
export function smoke(program: string, folder: string): Tried[];

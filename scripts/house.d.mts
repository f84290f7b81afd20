/** What one line did: what it printed, the files of `src` whose functions were entered and those that were loaded. */
export interface Ran {
  readonly stdout: string;
  readonly files: readonly string[];
  readonly loaded: readonly string[];
  readonly moves: number;
}

export function openHouse(root: string): Promise<{
  run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran>;
  remove(): Promise<void>;
}>;

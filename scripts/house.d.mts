/** The trace of one command line: its output, the files of `src` whose functions it entered, and those it loaded. */
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

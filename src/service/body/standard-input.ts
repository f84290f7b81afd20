import { usage } from '../../base/errors/errors.js';

/** What on one command line would read standard input: ids `-`, `--body -`, `-d path=@-`, `--input -`, a query `-`. */
export interface StdinClaims {
  readonly ids?: readonly string[];
  readonly body?: string;
  readonly data?: readonly string[];
  /** Any other values that read standard input when they are `-` or `@-`, by option name. */
  readonly others?: Readonly<Record<string, string | undefined>>;
}

/** The readers of standard input, in the words of the command line. */
export function stdinClaims(claims: StdinClaims): string[] {
  const found: string[] = [];
  for (const id of claims.ids ?? []) if (id === '-') found.push('the ids "-"');
  if (claims.body === '-' || claims.body === '@-') found.push(`--body ${claims.body}`);
  for (const assignment of claims.data ?? []) {
    const path = /^([^=]*?):?=@-$/.exec(assignment)?.[1];
    if (path !== undefined) found.push(`-d ${path}=@-`);
  }
  for (const [name, value] of Object.entries(claims.others ?? {})) {
    if (value === '-' || value === '@-') found.push(`${name} ${value}`);
  }
  return found;
}

/** Throws a usage error (exit code 2) when more than one thing would read standard input (command-line.md#bodies). */
export function oneStdinReader(claims: StdinClaims): void {
  const found = stdinClaims(claims);
  if (found.length < 2) return;
  throw usage(
    `Standard input can be read only once, but ${found.join(' and ')} want it.`,
    'Put one of them into a file.',
  );
}

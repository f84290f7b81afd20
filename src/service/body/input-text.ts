import { local, orThrow, usage } from '../../base/errors/errors.js';

/**
 * Everything on one command line that may read standard input: ids `-`, `--body -`, `-d path=@-`, `--input -`, a query
 * `-`.
 */
export interface StdinClaims {
  readonly ids?: readonly string[];
  readonly body?: string;
  readonly data?: readonly string[];
  /** Other values, by option name, that read standard input when they are `-` or `@-`. */
  readonly others?: Readonly<Record<string, string | undefined>>;
}

/** The readers of standard input, as written on the command line. */
export function stdinClaims(claims: StdinClaims): string[] {
  const found: string[] = [];
  for (const id of claims.ids ?? []) if (id === '-') found.push('the ids "-"');
  if (claims.body === '-' || claims.body === '@-') found.push(`--body ${claims.body}`);
  for (const assignment of claims.data ?? []) {
    const path = /^([^=]*?):?=@-$/.exec(assignment)?.[1];
    if (path !== undefined) found.push(`-d ${path}=@-`);
  }
  for (const [name, value] of Object.entries(claims.others ?? {}))
    if (value === '-' || value === '@-') found.push(`${name} ${value}`);
  return found;
}

/**
 * Throws a usage error (exit code 2) when more than one argument would read standard input (command-line.md#bodies).
 */
export function oneStdinReader(claims: StdinClaims): void {
  const found = stdinClaims(claims);
  if (found.length < 2) return;
  throw usage(
    `Standard input can be read only once, but ${found.join(' and ')} want it.`,
    'Put one of them into a file.',
  );
}

/**
 * Decodes a file or standard input as usual editors and shells write it: UTF-8 with or without a byte order mark, or
 * UTF-16 of either order (PowerShell redirection writes it). Keeps line ends. Throws a local error (exit code 11) for
 * anything else; `name` describes the input.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = encodingOf(bytes);
  const text: string = orThrow(
    () => new TextDecoder(encoding, { fatal: true }).decode(bytes),
    (cause) => local(`${name} is not text in UTF-8 or UTF-16`, 'Save it as UTF-8.', cause),
  );
  if (text.includes('\u0000')) throw local(`${name} holds binary data, not text`);
  return text;
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: JSON and YAML begin with an ASCII character, so one of the first two bytes is zero.
  if (bytes.length >= 2 && bytes.length % 2 === 0) {
    if (first !== 0 && second === 0) return 'utf-16le';
    if (first === 0 && second !== 0) return 'utf-16be';
  }
  return 'utf-8';
}

import type { Text } from '../text/command-line.js';
import { CopsError } from './errors.js';

/** One thing that is wrong with an input: where (`rates[0].rate`, empty for the whole) and what to do about it. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What a check of a body found: faults stop it, notes are told and pass. */
export interface Findings {
  readonly faults: readonly Fault[];
  readonly notes: readonly string[];
}

/** One usage error (exit code 2) that names all faults, each on its line. */
export function faultsError(what: string, faults: readonly Fault[], hint?: Text): CopsError {
  const lines = faults.map((fault) => (fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`));
  const message =
    lines.length === 1 ? `${what}: ${lines[0]}` : `${what}, ${lines.length} faults:\n  ${lines.join('\n  ')}`;
  return new CopsError('usage', message, { faults, hint: hint || undefined });
}

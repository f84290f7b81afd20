import { CopsError, stopped } from '../../base/errors/errors.js';

/** One question in the terms of inquirer. */
export interface Question {
  readonly type: 'input' | 'password' | 'select';
  readonly message: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Of a question that guards something: whether an answer lets it happen. */
  readonly accepts?: (answer: string) => boolean;
  readonly mask?: string;
  /** True where a key press could show what is masked. */
  readonly toggleMask?: boolean;
}

/** The person stopped it at a question. */
export function interrupted(): CopsError {
  return new CopsError('interrupted', 'Interrupted.', { exitCode: 130 });
}

/** Nobody answers any more. */
export function inputEnded(message: string): CopsError {
  return stopped(`The input ended before an answer: ${message}`, 'Nothing was done.');
}

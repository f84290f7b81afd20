import { stopped } from '../../base/errors/errors.js';
import type { Text } from '../../base/text/command-line.js';
import type { Decision } from './decide.js';

/** The two questions that guard an operation; `session/context/context.ts`'s Prompter is one. */
export interface Asker {
  confirm(question: string): Promise<boolean>;
  /** True when exactly `expected` is typed. */
  typed(question: string, expected: string): Promise<boolean>;
}

export interface ConfirmInput {
  readonly decision: Decision;
  /** Already sanitised. */
  readonly lines: readonly Text[];
  /** What has to be typed (an id, a count) when the decision asks for it. */
  readonly expected: string;
  readonly asker: () => Promise<Asker>;
  /** Shows the lines before the question. */
  readonly show: (text: Text) => void;
}

/**
 * Asks where the decision says so; an `allow` passes in silence.
 * @throws CopsError stopped (12) when the answer is not a clear yes.
 */
export async function confirm(input: ConfirmInput): Promise<void> {
  if (input.decision === 'allow') return;
  for (const line of input.lines) input.show(line);
  const asker = await input.asker();
  const yes =
    input.decision === 'ask'
      ? await asker.confirm('Go ahead?')
      : await asker.typed(`Type ${input.expected} to go ahead`, input.expected);
  if (!yes) throw stopped('not confirmed: nothing was sent');
}

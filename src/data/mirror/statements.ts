/** Texts, quoted names and comments, closed or not; the end of a statement; anything else, character by character. */
const PIECES =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\s\S]/g;

/** What was typed, cut at the `;` that end statements: those in texts, names and comments do not. */
export interface Typed {
  /** Statements that were ended, without their `;`; empty ones are left out. */
  readonly whole: readonly string[];
  /** What is still to be ended; '' where only space and comments are left. */
  readonly rest: string;
}

export function statementsOf(text: string): Typed {
  const whole: string[] = [];
  let rest = '';
  let isEmpty = true;
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === ';') {
      if (!isEmpty) whole.push(rest.trim());
      rest = '';
      isEmpty = true;
      continue;
    }
    rest += piece;
    // A comment that is still open may hold what is typed next.
    if (!/^(?:\s|--|\/\*[\s\S]*\*\/$)/.test(piece)) isEmpty = false;
  }
  return { whole, rest: isEmpty ? '' : rest };
}

/** What is wrong with a JMESPath expression, and where. */
export interface QueryFault {
  /** Counted from 1; behind the last character where the expression ends too early. */
  readonly position: number;
  readonly what: string;
}

type Compile = (text: string) => unknown;

const ENDED = /EOF|Cannot read properties|Cannot read property|undefined/;

/**
 * Finds the first place at which an expression cannot go on. The library tells a token and no place: the shortest
 * beginning that fails for another reason than its end ends with what is wrong.
 */
export function faultIn(expression: string, compile: Compile): QueryFault {
  for (let end = 1; end <= expression.length; end++) {
    if (/\w/.test(expression[end - 1] ?? '') && /\w/.test(expression[end] ?? '')) continue;
    const why = failure(expression.slice(0, end), compile);
    if (why === undefined || ENDED.test(why) || /[Uu]nclosed|Unterminated|Unexpected end/.test(why)) continue;
    const start = startOfWord(expression, end);
    return { position: start + 1, what: `${JSON.stringify(expression.slice(start, end))} cannot stand there` };
  }
  return { position: expression.length + 1, what: 'it ends too early' };
}

function failure(text: string, compile: Compile): string | undefined {
  try {
    compile(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function startOfWord(text: string, end: number): number {
  let start = end - 1;
  while (start > 0 && /\w/.test(text[start] ?? '') && /\w/.test(text[start - 1] ?? '')) start--;
  return start;
}

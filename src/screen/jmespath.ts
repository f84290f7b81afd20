import { orElse, orThrow, usage, wrongOption } from '../base/errors/errors.js';
import { Digits, type Lossless, parseLossless } from '../items/json/lossless.js';
import { multiplies, type QueryNode } from './query-size.js';

/** Longest expression, in characters. */
const LONGEST = 10_000;

/**
 * Checks a `--query` expression and loads the library that runs it.
 *
 * @throws CopsError `usage` for an invalid JMESPath expression, or one that does not fit its data
 */
export async function openQuery(expression: string) {
  const { default: jmespath } = await import('jmespath');
  const compile = (text: string): QueryNode =>
    (jmespath as unknown as { compile(text: string): QueryNode }).compile(text);
  // The library takes time quadratic in the nesting.
  if (expression.length > LONGEST)
    throw wrongOption('--query', `${expression.length} characters are too many; the limit is ${LONGEST}.`);
  let compiled: QueryNode;
  try {
    compiled = compile(expression);
  } catch {
    const { position, what } = faultIn(expression, compile);
    const equals = /[^=!<>]=(?!=)/.test(expression) ? 'Compare values with two equals signs: ==. ' : '';
    throw usage(
      `--query "${shortened(expression)}" is wrong at character ${position}: ${what}.`,
      `${equals}${EXAMPLE}`,
    );
  }
  const search = (value: unknown): unknown => jmespath.search(value, expression) ?? null;
  return {
    /** Takes and returns JSON text. Numbers that are only selected keep their digits. */
    run(raw: string) {
      if (multiplies(compiled, raw.length)) {
        throw usage(
          `--query "${shortened(expression)}" cannot be used: its answer would be many times as large as the data.`,
          'Each [@, @] doubles its input: select each part once.',
        );
      }
      const answer: unknown = orThrow(
        () => search(JSON.parse(raw)),
        (error) => fault(expression, error),
      );
      return keepDigits(raw, answer, search) ?? JSON.stringify(answer);
    },
  };
}

/** A number that JavaScript would print differently: `10.00`, twenty digits. JMESPath sees a plain number. */
class Kept extends Number {
  constructor(readonly text: string) {
    super(text);
  }
}

/**
 * JMESPath computes with JavaScript numbers, which forget how they were written. So the query runs a second time over
 * numbers that remember; if both answers agree, the original texts are used. They differ where the expression compares
 * such numbers for equality; then the first answer counts, with computed digits.
 */
function keepDigits(raw: string, plain: unknown, search: (value: unknown) => unknown): string | undefined {
  const marks = { any: false };
  const data = remembering(parseLossless(raw), marks);
  if (!marks.any) return undefined;
  return orElse(() => {
    const answer = search(data);
    return same(plain, answer) ? textOf(answer) : undefined;
  }, undefined);
}

function remembering(value: Lossless, marks: { any: boolean }): unknown {
  if (value instanceof Digits) {
    const number = Number(value.text);
    if (JSON.stringify(number) === value.text) return number;
    marks.any = true;
    return new Kept(value.text);
  }
  if (Array.isArray(value)) return value.map((element) => remembering(element, marks));
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, member]) => [key, remembering(member, marks)]));
  return value;
}

function same(a: unknown, b: unknown): boolean {
  if (b instanceof Kept) return Number(b) === a;
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(b, name) && same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}

function textOf(value: unknown): string {
  if (value instanceof Kept) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

function shortened(expression: string): string {
  return expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;
}

const EXAMPLE = "JMESPath, for example --query '[].{id: id, email: customer.email}' or --query '[?enabled].id'.";

function fault(expression: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return usage(`--query "${expression}" cannot be used: ${why}.`, EXAMPLE);
}

type Compile = (text: string) => unknown;

const ENDED = /EOF|Cannot read properties|Cannot read property|undefined/;

/**
 * Finds where an expression goes wrong: a position counted from 1, or just after the last character if it ends too
 * early. The library names a token but no position, so this looks for the shortest prefix that fails for a reason other
 * than being incomplete; the fault is at its end.
 */
function faultIn(expression: string, compile: Compile): { position: number; what: string } {
  for (let end = 1; end <= expression.length; end++) {
    if (/\w/.test(expression[end - 1] ?? '') && /\w/.test(expression[end] ?? '')) continue;
    const why = failure(expression.slice(0, end), compile);
    if (why === undefined || ENDED.test(why) || /[Uu]nclosed|Unterminated|Unexpected end/.test(why)) continue;
    const start = startOfWord(expression, end);
    return { position: start + 1, what: `${JSON.stringify(expression.slice(start, end))} is not allowed there` };
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

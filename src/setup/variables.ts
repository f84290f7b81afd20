import type { Tree } from '../items/json/tree.js';

/** What stands between `${` and `}`: the kind, and the name, path or command behind it. */
export interface Variable {
  readonly kind: 'env' | 'var' | 'secret.env' | 'secret.file' | 'secret.cmd';
  readonly name: string;
}

const KINDS = 'env|var|secret\\.env|secret\\.file|secret\\.cmd';
const VARIABLE = /(\$?)\$\{(?:(env|var)\.([A-Za-z_][A-Za-z0-9_.-]*)|(secret\.(?:env|file|cmd)):([^{}]+))\}/g;
const LOOKS_LIKE = new RegExp(`\\$\\{(?=(?:${KINDS})[.:])`, 'g');

/** Doubles the dollar of texts that would be read as variables, so that they are read as themselves. */
export function escaped(text: string): string {
  return text.replace(LOOKS_LIKE, '$$${');
}

/** The variable that a text is as a whole, if it is one. */
export function onlyVariable(text: string): Variable | undefined {
  const [match] = text.matchAll(VARIABLE);
  return match && match[0] === text && match[1] === '' ? variableOf(match) : undefined;
}

/** True for a text that names a secret, which is read only when it is sent. */
export function isSecretVariable(value: unknown): value is string {
  return typeof value === 'string' && onlyVariable(value)?.kind.startsWith('secret.') === true;
}

/** The secrets that a tree names, as they are written. */
export function secretsIn(value: Tree): readonly string[] {
  if (isSecretVariable(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => secretsIn(member as Tree));
}

/**
 * The text with its variables replaced. A secret in it stays as it is: it is read when it is sent.
 * @param lookUp the value of a variable; undefined when it is not set
 * @param unset told of every variable without a value
 */
export function substituted(
  text: string,
  lookUp: (variable: Variable) => string | undefined,
  unset: (variable: Variable) => void,
): string {
  if (!text.includes('${')) return text;
  return text.replace(VARIABLE, (whole: string, dollar: string, kind, name, secret, target) => {
    if (dollar === '$') return whole.slice(1);
    const variable = variableOf([whole, dollar, kind, name, secret, target]);
    if (variable.kind.startsWith('secret.')) return whole;
    const value = lookUp(variable);
    if (value === undefined) unset(variable);
    return value ?? '';
  });
}

function variableOf(match: readonly (string | undefined)[]): Variable {
  const [, , kind, name, secret, target] = match;
  return { kind: (kind ?? secret) as Variable['kind'], name: (name ?? target ?? '').trim() };
}

/** `${env.NAME}` as it is written. */
export function variableText({ kind, name }: Variable): string {
  return kind.startsWith('secret.') ? `\${${kind}:${name}}` : `\${${kind}.${name}}`;
}

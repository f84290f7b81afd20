import { isCardNumber, isSecretByNames } from './secret-fields.js';

/**
 * Secrets out of everything that is shown or kept: by field name in JSON, and by value anywhere. Used by the
 * trace, dry runs, history, journals and errors.
 */

/** What stands for a secret: its last four characters when it is long enough not to be told by them. */
export function mask(secret: string): string {
  return secret.length >= 12 ? `****${secret.slice(-4)}` : '****';
}

/**
 * `text` with every occurrence of each secret masked, also where it is URL-encoded, JSON-escaped or in Base64.
 * Secrets under four characters are left alone: by value they would hit innocent text.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length < 4) continue;
    const forms = new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd')),
      Buffer.from(secret).toString('base64'),
    ]);
    for (const form of forms) clean = clean.replaceAll(form, () => mask(secret));
  }
  return clean;
}

/** The value of an encrypted variable comes as `{encrypted, value}`, so it is hidden whatever stands beside it. */
function isSecretPlace(path: readonly (string | number)[]): boolean {
  return isSecretByNames(path) || (path.at(-1) === 'value' && path.includes('environment_variables'));
}

function maskedValue(name: string | number | undefined, value: unknown): string {
  // The last four digits of a card tell which card it is and are printed on every receipt.
  if (name === 'card_number' && typeof value === 'string' && /^[\d -]{12,}$/.test(value)) return mask(value);
  return '****';
}

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text with the secrets masked by field name and every other byte as it was. Text that is not JSON is not
 * shown at all: what cannot be read cannot be cleaned.
 */
export function maskJson(text: string): string {
  try {
    JSON.parse(text);
    return maskTokens(text.match(TOKEN) ?? []);
  } catch {
    return `[${Buffer.byteLength(text)} bytes that are not JSON]`;
  }
}

function maskTokens(tokens: readonly string[]): string {
  const out: string[] = [];
  const path: (string | number)[] = [];
  let at = 0;
  const blank = () => {
    while (/^\s/.test(tokens[at] ?? '')) out.push(tokens[at++] ?? '');
  };
  const take = () => {
    blank();
    const token = tokens[at++] ?? '';
    out.push(token);
    return token;
  };
  const peek = () => {
    blank();
    return tokens[at] ?? '';
  };
  const value = () => {
    const first = peek();
    const start = out.length;
    if (first === '{' || first === '[') {
      const close = first === '{' ? '}' : ']';
      take();
      for (let index = 0; peek() !== close; index += 1) {
        if (index > 0) take();
        path.push(close === '}' ? (JSON.parse(take()) as string) : index);
        if (close === '}') take();
        value();
        path.pop();
      }
      take();
    } else take();
    const plain = first.startsWith('"') ? (JSON.parse(first) as string) : first;
    const card = isCardNumber(plain);
    if (first === 'null' || !(card || isSecretPlace(path))) return;
    const shown = card ? mask(plain) : maskedValue(path.at(-1), first.startsWith('"') ? plain : undefined);
    out.splice(start, out.length - start, JSON.stringify(shown));
  };
  value();
  blank();
  return out.join('');
}

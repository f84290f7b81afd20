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
    for (const form of forms) clean = clean.replaceAll(form, mask(secret));
  }
  return clean;
}

/** Field names whose value is secret, whatever it is (in lower case, dashes as underscores). */
const SECRET_FIELDS = new Set([
  'account_number',
  'api_key',
  'api_secret',
  'authorization',
  'bank_account_number',
  'card_code',
  'card_cvc',
  'card_cvv',
  'card_num',
  'card_number',
  'card_security_code',
  'cardnumber',
  'cc_number',
  'client_secret',
  'credentials',
  'credit_card_number',
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'gateway_raw_response',
  'pan',
  'passphrase',
  'passwd',
  'password',
  'private_key',
  'proxy_authorization',
  'routing_number',
  'secret',
  'secret_key',
  'security_code',
  'smtp_password',
  'x_api_key',
]);
const SECRET_ENDINGS = /(^|_)(password|secret|secret_key|private_key|api_key|access_token|auth_token|refresh_token)$/;

/** True when a field of this name holds a secret wherever it stands. */
export function isSecretField(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRET_FIELDS.has(plain) || SECRET_ENDINGS.test(plain);
}

/** True for the text of a card number: 13 to 19 digits, maybe in groups, with the right check digit. */
export function isCardNumber(text: string): boolean {
  if (!/^[2-6](?:[ -]?\d){12,18}$/.test(text.trim())) return false;
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}

/** Credential fields come as `fields: [{id, value}]`; the value of an encrypted variable as `{encrypted, value}`. */
function isSecretPlace(path: readonly (string | number)[]): boolean {
  const last = path.at(-1);
  if (typeof last !== 'string') return false;
  if (isSecretField(last)) return true;
  if (last !== 'value') return false;
  const list = typeof path.at(-2) === 'number' ? path.at(-3) : path.at(-2);
  return list === 'fields' || list === 'environment_variables';
}

function maskedValue(name: string | number | undefined, value: unknown): string {
  // The last four digits of a card tell which card it is and are printed on every receipt.
  if (name === 'card_number' && typeof value === 'string' && /^[\d -]{12,}$/.test(value)) return mask(value);
  return '****';
}

/** A copy of a JSON value with every secret masked by field name. */
export function maskSecrets(value: unknown, path: readonly (string | number)[] = []): unknown {
  if (isSecretPlace(path) && value !== null && value !== undefined) return maskedValue(path.at(-1), value);
  if (Array.isArray(value)) return value.map((element, index) => maskSecrets(element, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskSecrets(field, [...path, name])]));
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

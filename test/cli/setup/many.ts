import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { json } from '../helpers.js';
import type { Home } from '../program.js';
import type { Served } from './served.js';

/** What waits for half a minute after its creation, what refers to that, and what needs a secret. */
const LEFT_OUT: ReadonlySet<string> = new Set(['functions', 'ai-voice-agents', 'customer-portals']);

/** A folder with the set-up of the served test account, or some families of it, and nothing that is known of ids. */
export async function pulledFolder(
  served: Served,
  home: Home,
  folder: string,
  isWanted: (family: string) => boolean = () => true,
): Promise<void> {
  const ran = await served.home('test', home).run(['setup', 'pull', folder]);
  if (ran.code !== 0) throw new Error(ran.stderr);
  for (const name of familiesIn(folder)) if (!isWanted(name)) rmSync(path.join(folder, name), { recursive: true });
  for (const name of readdirSync(path.join(folder, '.cops')))
    if (name.endsWith('.json')) rmSync(path.join(folder, '.cops', name));
}

/** A folder of exactly so many objects: of most families, with references, a circle, and things that fire last. */
export async function folderOf(count: number, served: Served, home: Home, folder: string): Promise<readonly string[]> {
  await pulledFolder(served, home, folder, (name) => !LEFT_OUT.has(name));
  const { objects } = json<{ objects: number }>(await home.run(['setup', 'check', folder]));
  const made = count - objects;
  for (let n = 0; n < made; n++) {
    const [name, text] = (KINDS[n % KINDS.length] ?? product)(n);
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return familiesIn(folder);
}

/** Names the secret that the service asks of portals, and that no pull shows. */
export function giveCaptcha(folder: string): void {
  for (const name of ['my-account', 'north', 'south']) {
    const file = path.join(folder, 'customer-portals', `${name}.yaml`);
    const text = readFileSync(file, 'utf8').replace(
      'recaptcha:\n',
      'recaptcha:\n  secret_key: ${secret.env:CAPTCHA}\n',
    );
    writeFileSync(file, text);
  }
}

export function familiesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

type Made = readonly [file: string, text: string];

function product(n: number): Made {
  const lines = [
    `name: Box ${n}`,
    `price: ${n}.50`,
    'cost: 1.00',
    'enabled: true',
    `internal_id: BOX-${n}`,
    `sku: BOX-${n}`,
  ];
  return [`products/box-${n}.yaml`, `${lines.join('\n')}\n`];
}

function profile(n: number): Made {
  const lines = [
    `name: Every ${n} days`,
    'enabled: true',
    'frequency: unit',
    'frequency_unit:',
    '  unit: days',
    `  value: ${n + 1}`,
    'payment_profile: {ref: payment-profiles/Standard routing}',
    'shipping_profile: {ref: shipping-profiles/Flat rate}',
  ];
  return [`subscription-profiles/every-${n}.yaml`, `${lines.join('\n')}\n`];
}

function keyValue(n: number): Made {
  // A key has letters only.
  const key = [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return [`key-values/made-${n}.yaml`, `key: made_x${key}\nkey_type: string\nvalue: "${n}"\n`];
}

function letter(n: number): Made {
  const lines = [
    `name: Letter ${n}`,
    'smtp_profile: {ref: smtp-profiles/North mail}',
    `template_subject: News ${n}`,
    'template_from: shop@example.com',
    'template_to: ["{{customer.email}}"]',
    'template_trigger: api_direct',
    `template_html: <p>${n}</p>`,
  ];
  return [`email-templates/letter-${n}.yaml`, `${lines.join('\n')}\n`];
}

const KINDS = [product, keyValue, letter, profile];

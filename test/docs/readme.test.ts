/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, type Ran, ROOT } from '../cli/program.js';
import { FEW, laySandbox } from '../harness/seeded.js';

/** The pages that show commands to type. The README comes late: it empties the live side, as a reader would by then. */
const PAGES = [
  'docs/daily-work.md',
  'docs/mirror.md',
  'docs/paths.md',
  'README.md',
  'docs/sandbox.md',
  'docs/install.md',
];
const shown = PAGES.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
/** Every line of these pages that shows a command, once. */
const LINES = [
  ...new Set(
    [...shown.matchAll(/^```console\n([\s\S]*?)^```/gm)]
      .flatMap((block) => (block[1] ?? '').split('\n'))
      .filter((line) => line.startsWith('$ '))
      .map((line) => line.slice(2)),
  ),
];
/** Examples that show a refusal or an end that is not whole, with its exit code. */
const REFUSED: Readonly<Record<string, number>> = {
  'cops -p sandbox subscriptions cancel SUBSCRIPTION_ID --live': 12,
  // The mirror began today.
  'cops -p sandbox subscriptions list --where status=active --as-of 2026-10-31': 10,
  // Objects that need a secret are left out by name.
  'cops setup promote --from sandbox:test --to sandbox:live --yes': 10,
};

const KEYS = { ACME_TEST_KEY: 'test_key_of_acme_0001', ACME_LIVE_KEY: 'live_key_of_acme_0001' };
/** A sandbox that has something of everything, and one as the program makes it: the people of the examples are in it. */
const few = new Home(KEYS);
const usual = new Home(KEYS);
const homeOf = (line: string): Home => (/\S@example\.com| find /.test(line) ? usual : few);
const cwd = path.join(few.folder, 'work');

/** A line of commands, each fed by the one before it, and the file that the last one's output goes to. */
interface Line {
  readonly commands: readonly (readonly string[])[];
  readonly target: string | undefined;
}

/** The commands of lines, their words told apart by a shell, as a reader's shell would. */
function read(lines: readonly string[]): Line[] {
  const parts = lines.map((line) => {
    const [shown = '', target] = line.split(' > ');
    return { commands: shown.split(' | '), target };
  });
  const script = parts.flatMap(({ commands }) => commands).join('\n');
  const define = "cops() { printf '%s\\0' \"$@\"; printf '\\n\\0'; }";
  const text = execFileSync('bash', ['-c', `${define}\n${script}`], { cwd, encoding: 'utf8' });
  const words = text.split('\n\0').map((one) => one.split('\0').slice(0, -1));
  return parts.map(({ commands, target }) => ({ commands: words.splice(0, commands.length), target }));
}

/** The journal with its folder: a journal is opened from where the process is, which is not where these lines are run. */
const filled = (word: string) =>
  word
    .replace(/^enable\.journal$/, path.join(cwd, 'enable.journal'))
    .replace(/\b(SUBSCRIPTION_ID|CUSTOMER_ID|PRODUCT_SALE_ID)\b/g, (name) => ids[name] ?? name);

/** Runs a line as a shell does that fails with any of its commands. */
async function run({ commands, target }: Line, home: Home): Promise<Pick<Ran, 'code' | 'stdout' | 'stderr'>> {
  let last = { code: 0 as number | null, stdout: '', stderr: '' };
  for (const words of commands) {
    const ran = await home.run(words.map(filled), { cwd, input: last.stdout });
    last = { code: last.code || ran.code, stdout: ran.stdout, stderr: last.stderr + ran.stderr };
  }
  if (target !== undefined) writeFileSync(path.join(cwd, target), last.stdout);
  return last;
}

async function idsOf(family: string, query: string): Promise<string[]> {
  const words = ['-p', 'sandbox', family, 'list', '--last', '400d', '-q', '-o', 'json', '--query', query];
  return JSON.parse((await few.run(words)).stdout) as string[];
}

const ids: Record<string, string> = {};
const active: string[] = [];
let lines: readonly Line[] = [];

beforeAll(async () => {
  mkdirSync(cwd, { recursive: true });
  lines = read(LINES);
  await laySandbox(path.join(few.folder, 'data'), Date.now(), FEW);
  active.push(...(await idsOf('subscriptions', "[?status=='active'].id")));
  ids.CUSTOMER_ID = (await idsOf('customers', '[].id'))[0] ?? '';
  const sold = await few.run(['-p', 'sandbox', 'product-sales', 'list', '--last', '400d', '-q', '-o', 'json']);
  const refundable = (JSON.parse(sold.stdout) as { id: string; amount_refunded: number; amount_captured: number }[])
    .filter((item) => item.amount_refunded === 0 && item.amount_captured > 5)
    .map((item) => item.id);
  ids.PRODUCT_SALE_ID = refundable[0] ?? '';
  writeFileSync(path.join(cwd, 'refunds.csv'), `id,amount\n${refundable.slice(1, 4).join(',1.00\n')},1.00\n`);
});
afterAll(() => {
  few.remove();
  usual.remove();
});

describe('the examples of the README and the guide', () => {
  it('are there', () => {
    expect(LINES.length).toBeGreaterThan(35);
    expect(lines.map(({ commands }) => commands.length)).toEqual(LINES.map((line) => line.split('cops ').length - 1));
  });

  let suspended = 0;
  it.each(LINES.map((line, at) => [line, at] as const))('%s', async (line, at) => {
    if (line.includes('SUBSCRIPTION_ID') && !line.includes('activate')) ids.SUBSCRIPTION_ID = active[suspended++] ?? '';
    const { code, stdout, stderr } = await run(lines[at] as Line, homeOf(line));
    // Of some cards nobody can tell whose turn it is: how many depends on the day.
    const isUnsure = line.includes('card.expires') && code === 10;
    expect({ code, stderr }, stderr).toMatchObject({ code: isUnsure ? 10 : (REFUSED[line] ?? 0) });
    if (!REFUSED[line] && !/ use | > /.test(line)) expect(stdout).not.toBe('');
  });
});

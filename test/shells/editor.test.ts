/** @module-tag tool */
/** `edit --editor` on a real terminal: what the editor gets, what is sent, and what becomes of the text (section 5). */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pair } from '../cli/helpers.js';
import type { Home } from '../cli/program.js';
import { ok, type Reaction, refusal, wrote } from '../fixtures/service/service.js';
import { describeWith, onTerminal, plain, type Session, type Step } from './tools.js';

const G = 'GROUP000000000000001';
const GROUP = { id: G, live_mode: false, name: 'Old', description: 'Stays' };

/** A service with one group, and a home whose editor is a shell script that gets the file as `$1`. */
async function desk(editor: string, answer: Reaction = wrote('customer_group', G)) {
  const { service: at, home: made } = await pair((request) => (request.method === 'POST' ? answer : ok(GROUP)));
  const script = path.join(made.folder, 'my editor');
  writeFileSync(script, `#!/bin/sh\n${editor}\n`);
  chmodSync(script, 0o755);
  const tmp = path.join(made.folder, 'tmp');
  mkdirSync(tmp);
  const env = { ...made.env, EDITOR: `'${script}'`, TMPDIR: tmp };
  const edit = (steps: readonly Step[] = [], more: readonly string[] = []): Promise<Session> =>
    onTerminal(['customer-groups', 'edit', G, '--editor', ...more], steps, { env });
  const posts = () => at.requests.filter(({ method }) => method === 'POST');
  return { at, made, edit, posts, left: () => kept(tmp) };
}

/** Files that were left in the temporary folder. */
function kept(tmp: string): string[] {
  return readdirSync(tmp).flatMap((name) => {
    const inside = path.join(tmp, name);
    return name.startsWith('cops-edit-') ? readdirSync(inside).map((file) => path.join(inside, file)) : [];
  });
}

const seen = (made: Home, name: string) => readFileSync(path.join(made.folder, name), 'utf8');

describeWith('expect', 'edit --editor on a terminal', () => {
  it('opens the current item in a private file, sends only what changed, and leaves no file', async () => {
    const { made, edit, posts, left } = await desk(
      'cp "$1" "$HOME/opened"; stat -c "%a" "$1" "$(dirname "$1")" > "$HOME/modes"; sed -i s/Old/New/ "$1"',
    );
    const ran = await edit();
    expect(ran.code, ran.screen).toBe(0);
    expect(JSON.parse(seen(made, 'opened'))).toEqual({ name: 'Old', description: 'Stays' });
    expect(seen(made, 'modes')).toBe('600\n700\n');
    expect(posts().map(({ json }) => json)).toEqual([{ name: 'New', idempotency_key: expect.any(String) }]);
    expect(left()).toEqual([]);
  });

  it.each([
    ['nothing was changed', 'true'],
    ['only its layout was changed', 'tr -d "\\n" < "$1" > "$1.x"; mv "$1.x" "$1"'],
    ['the file was emptied', ': > "$1"'],
  ])('sends nothing when %s', async (_name, editor) => {
    const { edit, posts, left } = await desk(editor);
    const ran = await edit();
    expect([ran.code, posts().length, left()], ran.screen).toEqual([12, 0, []]);
  });

  it('opens a text that is not right again, with what is wrong with it, until it is right', async () => {
    const { edit, posts, left } = await desk(
      [
        'n=$(cat "$HOME/n" 2>/dev/null || echo 0); echo $((n + 1)) > "$HOME/n"',
        'case $n in',
        '0) echo \'{"name": "Half\' > "$1" ;;',
        '1) cp "$1" "$HOME/second"; echo \'{"name": 5}\' > "$1" ;;',
        '*) echo \'{"name": "Whole"}\' > "$1" ;;',
        'esac',
      ].join('\n'),
    );
    const ran = await edit([
      ['not valid JSON', ''],
      ['Edit it again?', 'y\\r'],
      ['name: must be text', ''],
      ['Edit it again?', 'y\\r'],
    ]);
    expect(ran.code, ran.screen).toBe(0);
    expect(posts().map(({ json }) => (json as { name: string }).name)).toEqual(['Whole']);
    expect(left()).toEqual([]);
  });

  it('keeps the text, and says where, when it is given up', async () => {
    const { edit, posts, left } = await desk('echo "not JSON at all" > "$1"');
    const ran = await edit([['Edit it again?', 'n\\r']]);
    expect([ran.code, posts().length], ran.screen).toEqual([2, 0]);
    const [file = ''] = left();
    expect(readFileSync(file, 'utf8')).toBe('not JSON at all\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(plain(ran.screen).replaceAll('\n', '')).toContain(path.basename(file));
  });

  it('keeps the text when the service refuses it or the editor fails', async () => {
    const refused = await desk('sed -i s/Old/New/ "$1"', refusal(400));
    expect((await refused.edit()).code).toBe(1);
    expect(refused.left()).toHaveLength(1);
    const failed = await desk('sed -i s/Old/New/ "$1"; exit 3');
    const ran = await failed.edit();
    expect([ran.code, failed.posts().length, failed.left().length], ran.screen).toEqual([12, 0, 1]);
  });

  it('leaves Ctrl-C to the editor; one that dies of it sends nothing (130)', async () => {
    const lives = await desk('trap "echo caught" INT; echo open; read line; sed -i s/Old/New/ "$1"');
    const survived = await lives.edit([
      ['open', '\\003'],
      ['caught', '\\r'],
    ]);
    expect([survived.code, lives.posts().length], survived.screen).toEqual([0, 1]);
    const dies = await desk('echo open; sleep 20');
    const ended = await dies.edit([['open', '\\003']]);
    expect([ended.code, dies.posts().length, dies.left()], ended.screen).toEqual([130, 0, []]);
  });

  it('goes with no other body and one id only, and opens nothing for a profile that only reads', async () => {
    const { at, made, edit } = await desk('touch "$HOME/opened"');
    for (const more of [['-d', 'name=x'], ['--name', 'x'], ['--body', '@x'], ['GROUP000000000000002']]) {
      expect((await edit([], more)).code, more.join(' ')).toBe(2);
    }
    await made.run([
      'profiles',
      'add',
      'ro',
      '--base-url',
      at.baseUrl,
      '--test-key',
      'env:COPS_API_KEY',
      '--read-only',
    ]);
    const env = { ...made.env, COPS_API_KEY: '', COPS_BASE_URL: '', THE_KEY: made.env.COPS_API_KEY ?? '' };
    await made.run(['profiles', 'edit', 'ro', '--test-key', 'env:THE_KEY'], { env });
    const line = ['customer-groups', 'edit', G, '--editor', '-p', 'ro'];
    const ran = await onTerminal(line, [], { env: { ...env, EDITOR: 'false' } });
    expect([ran.code, ran.screen.includes('read-only')], ran.screen).toEqual([12, true]);
    expect([at.requests.length, existsSync(path.join(made.folder, 'opened'))]).toEqual([0, false]);
  });

  it('shows the change and sends no POST with --dry-run, and says that the item was read', async () => {
    const { at, edit, posts } = await desk('sed -i s/Old/New/ "$1"');
    const ran = await edit([], ['--dry-run', '-o', 'json']);
    expect([ran.code, at.requests.length, posts().length], ran.screen).toEqual([0, 1, 0]);
    expect(plain(ran.screen)).toMatch(/item is read/);
    expect(plain(ran.screen)).toContain('"name": "New"');
  });
});

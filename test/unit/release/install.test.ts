/** What `install.sh` fetches from, and what it leaves in the folder, with programs of our own for curl and wget. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../../scripts/release/install.sh');
const TOOLS = 'sh mkdir mktemp rm mv cp cut awk sed df sha256sum cat chmod tar gzip'.split(' ');
const GOOD = '#!/bin/sh\necho 9.9.9\n';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-install-'));
  for (const name of ['bin', 'served']) mkdirSync(at(name));
  for (const tool of TOOLS) {
    const found = ['/bin', '/usr/bin'].map((place) => path.join(place, tool)).find((file) => existsSync(file));
    if (found !== undefined) symlinkSync(found, at('bin', tool));
  }
  machine('Linux', 'x86_64');
  fetcher('curl', 'exit 22');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...parts: string[]): string => path.join(folder, ...parts);

function program(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function machine(system: string, processor: string): void {
  program(at('bin', 'uname'), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${processor}\n`);
}

/** A curl or wget that notes what it is asked, and copies from a folder in the place of the network. */
function fetcher(name: 'curl' | 'wget', otherwise: string): void {
  program(
    at('bin', name),
    `#!/bin/sh
printf '%s\\n' "$*" >>'${at('asked')}'
previous=
for word; do
  case "$word" in --output-document=*) to=\${word#*=} ;; esac
  [ "$previous" != --output ] || to=$word
  previous=$word
done
served='${at('served')}'/\${word##*/}
if [ -e "$served" ]; then cp "$served" "$to"; else ${otherwise}; fi
`,
  );
}

/** Puts files on the server, with their checksums. */
function serve(files: Readonly<Record<string, string | Buffer>>): void {
  const lines = Object.entries(files).map(([name, content]) => {
    writeFileSync(at('served', name), content);
    return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
  });
  writeFileSync(at('served', 'SHA256SUMS'), lines.join(''));
}

interface Ended {
  readonly status: number | null;
  readonly asked: string;
  readonly stderr: string;
}

function install(address = 'https://shop.example.com/cops', target = at('to')): Ended {
  const env = { PATH: at('bin'), HOME: folder };
  const { status, stderr } = spawnSync(at('bin/sh'), [SCRIPT, address, target], { env, encoding: 'utf8' });
  return { status, stderr, asked: existsSync(at('asked')) ? readFileSync(at('asked'), 'utf8') : '' };
}

describe('install.sh asks', () => {
  it.each([
    'http://localhost:x@shop.example.com',
    'http://127.0.0.1:80@shop.example.com',
    'http://localhost:80@shop.example.com/a',
    'http://localhost:80\\@shop.example.com',
    'http://localhost:80x/a',
    'http://localhost.example.com:80',
    'http://shop.example.com',
    'http://shop.example.com/@localhost:80',
    'https://user@shop.example.com',
    'ftp://shop.example.com',
    'https://',
    'shop.example.com',
  ])('nothing of %s', (address) => {
    expect(install(address)).toMatchObject({ status: 1, asked: '' });
  });

  it.each(['https://shop.example.com/cops', 'http://localhost:8080', 'http://127.0.0.1:8080/a/'])(
    '%s, and follows no one to another protocol',
    (address) => {
      expect(install(address).asked).toMatch(/--proto-redir =https.*\/SHA256SUMS$/m);
      rmSync(at('bin/curl'));
      rmSync(at('asked'));
      fetcher('wget', 'exit 8');
      expect(install(address).asked).toMatch(/--max-redirect=0.*\/SHA256SUMS$/m);
    },
  );

  it('nothing where the folder cannot take the program', () => {
    serve({ 'cops-linux-x64': GOOD });
    writeFileSync(at('file'), '');
    mkdirSync(at('taken/cops'), { recursive: true });
    for (const place of ['file', 'file/below', 'taken']) {
      const { status, asked, stderr } = install(undefined, at(place));
      expect({ status, asked }).toEqual({ status: 1, asked: '' });
      expect(stderr).toContain(at(place));
    }
    expect(readdirSync(at('taken'))).toEqual(['cops']);
  });

  it.each([
    ['Linux', 'aarch64', 'cops-linux-arm64'],
    ['Darwin', 'arm64', 'cops-macos-arm64'],
    ['Darwin', 'x86_64', 'cops-macos-x64'],
  ])('for the executable of %s on %s, where the release has one', (system, processor, file) => {
    machine(system, processor);
    serve({ 'cops-linux-x64': GOOD });
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining(file) });
    serve({ [file]: GOOD });
    expect(install().status).toBe(0);
  });
});

describe('install.sh leaves', () => {
  it('the program alone in the folder, and its pages beside a bin', () => {
    mkdirSync(at('share/man/man1'), { recursive: true });
    writeFileSync(at('share/man/man1/cops.1'), 'a page');
    spawnSync('tar', ['czf', at('share.tar.gz'), '-C', folder, 'share']);
    serve({ 'cops-linux-x64': GOOD, 'cops-share.tar.gz': readFileSync(at('share.tar.gz')) });
    expect(install().status).toBe(0);
    expect(readdirSync(at('to'))).toEqual(['cops']);
    const { status, stderr } = install(undefined, at('local/bin'));
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('9.9.9');
    expect(readdirSync(at('local/bin'))).toEqual(['cops']);
    expect(readFileSync(at('local/share/man/man1/cops.1'), 'utf8')).toBe('a page');
  });

  // The exit codes are those of curl and wget: no such file, cannot be written, nothing sent.
  it.each([
    ['curl', 22],
    ['curl', 23],
    ['curl', 28],
    ['wget', 8],
    ['wget', 3],
    ['wget', 4],
  ] as const)('an older cops as it was when %s ends with %i', (name, code) => {
    rmSync(at('bin/curl'));
    fetcher(name, `echo part >"$to"; exit ${code}`);
    serve({ 'cops-linux-x64': GOOD });
    rmSync(at('served', 'cops-linux-x64'));
    mkdirSync(at('to'));
    writeFileSync(at('to/cops'), 'the one before');
    const { status, stderr } = install();
    expect(status).toBe(1);
    if (code === 23 || code === 3) expect(stderr).toContain('KB are free');
    if (code === 28 || code === 4) expect(stderr).toContain('sent nothing for 30 seconds');
    expect(readFileSync(at('to/cops'), 'utf8')).toBe('the one before');
    expect(readdirSync(at('to'))).toEqual(['cops']);
  });

  it('an older cops as it was when the checksum of the program or its pages differs', () => {
    const target = at('old/bin');
    mkdirSync(target, { recursive: true });
    writeFileSync(path.join(target, 'cops'), 'the one before');
    for (const damaged of ['cops-linux-x64', 'cops-share.tar.gz']) {
      serve({ 'cops-linux-x64': GOOD, 'cops-share.tar.gz': 'pages' });
      writeFileSync(at('served', damaged), 'another file');
      expect(install(undefined, target).status).toBe(1);
      expect(readFileSync(path.join(target, 'cops'), 'utf8')).toBe('the one before');
      expect(readdirSync(target)).toEqual(['cops']);
    }
  });

  it.each([
    ['libatomic.so.1: cannot open shared object file', 'libatomic1'],
    ['libstdc++.so.6: cannot open shared object file', 'libstdc++6'],
    ["version `GLIBC_2.28' not found", 'npm install -g'],
    ['another fault', 'npm install -g'],
  ])('nothing where the program does not run (%s), and names a cure', (said, cure) => {
    serve({ 'cops-linux-x64': `#!/bin/sh\ncat >&2 <<'END'\n${said}\nEND\nexit 127\n` });
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).toContain(cure);
    expect(readdirSync(at('to'))).toEqual([]);
  });
});

/** @module-tag process */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askedFor, finishedIn, manifestOf, Runs } from './runs.js';

const FROM = Date.UTC(2023, 0, 10) / 1000;
const TO = Date.UTC(2025, 0, 10) / 1000;
const ROWS = 750;
const NEEDED = 49;
const linux = process.platform === 'linux';
const root = process.getuid?.() === 0;

let runs: Runs;
/**
 * Nobody answers, at once or from when a part of this work is written; until then, as under "silent", requests for the
 * later half of the windows wait, so that the earlier ones are written however the requests are mixed.
 */
let broken: 'gone' | 'silent' | { readonly onceWritten: string } | undefined;
const isGone = (): boolean =>
  broken === 'gone' || (typeof broken === 'object' && finishedIn(broken.onceWritten).written.length > 0);
async function gone(): Promise<void> {
  while (broken !== undefined && !isGone()) await pause(5);
}
beforeAll(async () => {
  runs = await Runs.against({
    rows: ROWS,
    from: FROM,
    to: TO,
    cached: true,
    latency: 2,
    onRequest: (_, url) => {
      if (isGone()) return { drop: true };
      const isLate = Number(url.searchParams.get('date_start')) > (FROM + TO) / 2;
      return broken !== undefined && isLate ? { drop: gone() } : undefined;
    },
  });
});
afterAll(() => runs.close());
afterEach(() => {
  broken = undefined;
  runs.forget();
});

const whole = () => runs.service.state.rows.map((row) => `${row.text}\n`).join('');
const command = (out: string, ...more: string[]) => [
  'export',
  'subscription-renewals',
  ...(more.includes('--from') ? [] : ['--from', String(FROM)]),
  ...(more.includes('--to') ? [] : ['--to', String(TO)]),
  '--out',
  out,
  ...more,
];

/** Leaves an export in its middle, with some windows finished. */
async function stopped(out: string, ...more: string[]): Promise<void> {
  const work = `${runs.path(out).replace(/\/$/, '')}.export`;
  broken = 'silent';
  const { child, ended } = runs.start(command(out, ...more));
  while (child.exitCode === null && finishedIn(work).written.length === 0) await pause(5);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  broken = undefined;
}

describe('an export resumes', () => {
  it('after Ctrl-C, which says so', async () => {
    const { child, ended } = runs.start(command('interrupted.jsonl'));
    void runs.after(NEEDED / 2, () => child.kill('SIGINT'));
    const { code, said } = await ended;
    expect(code).toBe(130);
    expect(said).toContain('run the same command again to continue');
    const again = await runs.run(command('interrupted.jsonl'));
    expect(again).toMatchObject({ code: 0, said: expect.stringContaining('Continuing the export') });
    expect(readFileSync(runs.path('interrupted.jsonl'), 'utf8')).toBe(whole());
  });

  it('after SIGTERM', async () => {
    const { child, ended } = runs.start(command('terminated.jsonl'));
    void runs.after(NEEDED / 2, () => child.kill('SIGTERM'));
    expect((await ended).code).toBe(143);
    expect((await runs.run(command('terminated.jsonl'))).code).toBe(0);
    expect(readFileSync(runs.path('terminated.jsonl'), 'utf8')).toBe(whole());
  });

  it('after the network was lost', async () => {
    broken = { onceWritten: `${runs.path('lost.jsonl')}.export` };
    const { code } = await runs.run(command('lost.jsonl', '--max-retries', '1'));
    expect(code).toBe(8);
    const done = finishedIn(`${runs.path('lost.jsonl')}.export`).written.map(askedFor);
    broken = undefined;
    runs.service.state.requests.length = 0;
    expect((await runs.run(command('lost.jsonl'))).code).toBe(0);
    expect(done.length).toBeGreaterThan(0);
    expect(runs.service.state.requests.filter((query) => done.some((window) => query.startsWith(window)))).toEqual([]);
    expect(readFileSync(runs.path('lost.jsonl'), 'utf8')).toBe(whole());
  });

  it('automatically when the network soon returns', async () => {
    void runs.after(NEEDED / 2, () => {
      broken = 'gone';
      void runs.after(8, () => {
        broken = undefined;
      });
    });
    expect((await runs.run(command('flicker.jsonl'))).code).toBe(0);
    expect(readFileSync(runs.path('flicker.jsonl'), 'utf8')).toBe(whole());
  });

  it.skipIf(!linux || !root).each(['a.jsonl', 'a.sqlite', 'a.parquet', 'lake/'])(
    'after the disk was full: %s',
    async (out) => {
      const disk = runs.path('disk');
      // An engine may keep a file open until its statements are collected, and the disk has to go.
      const run = (args: string[]) => (out.endsWith('.sqlite') ? runs.start(args).ended : runs.run(args));
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk]);
      try {
        const full = await run(command(`disk/${out}`));
        expect(full.code).toBe(11);
        expect(full.said).toMatch(/the disk is full|disk is full/);
        expect(full.said).toContain('Free some disk space and run the same command again');
        execFileSync('mount', ['-o', 'remount,size=40m', disk]);
        expect((await run(command(`disk/${out}`))).code).toBe(0);
        expect((await run(['export', 'verify', `disk/${out}`])).code).toBe(0);
        expect(manifestOf(runs.path(`disk/${out}`)).items).toBe(ROWS);
      } finally {
        execFileSync('umount', [disk]);
        rmSync(disk, { recursive: true });
      }
    },
  );

  it.skipIf(process.platform === 'win32')('after a file could grow no more', async () => {
    const limited = await runs.run(command('limited.jsonl'), { through: "trap '' XFSZ; ulimit -f 200" });
    expect(limited.code).toBe(11);
    expect(limited.said).toContain('limited.jsonl');
    expect((await runs.run(command('limited.jsonl'))).code).toBe(0);
    expect(readFileSync(runs.path('limited.jsonl'), 'utf8')).toBe(whole());
  });
});

describe('standard output', () => {
  it('ends quietly when its reader goes away', async () => {
    const { child, ended } = runs.start(command('-'));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, said } = await ended;
    expect(code).toBe(0);
    expect(said).not.toContain('rror');
    expect(readdirSync(runs.folder).filter((name) => name.startsWith('-'))).toEqual([]);
  });
});

describe('a target that cannot take an export', () => {
  it.skipIf(process.platform === 'win32').each([
    ['a folder without its slash', 'plain', () => mkdirSync(runs.path('plain'))],
    ['a file with a slash', 'text/', () => writeFileSync(runs.path('text'), 'mine')],
    ['a link to nothing', 'dangling.jsonl', () => symlinkSync('nowhere', runs.path('dangling.jsonl'))],
    ['a pipe', 'pipe.jsonl', () => execFileSync('mkfifo', [runs.path('pipe.jsonl')])],
  ])('is refused before anything is read: %s', async (_, out, make) => {
    make();
    runs.service.state.requests.length = 0;
    for (const more of [[], ['--restart']]) {
      const { code, said } = await runs.run(command(out, '--format', 'jsonl', ...more));
      expect(code).toBe(2);
      expect(said).toContain(runs.path(out.replace('/', '')));
    }
    expect(runs.service.state.requests).toEqual([]);
    expect(readdirSync(runs.folder).filter((name) => name.startsWith(`${path.basename(out)}.`))).toEqual([]);
  });

  it.skipIf(!linux)('is refused in a folder that cannot be written', async () => {
    const folder = root ? '/sys' : runs.path('sealed');
    if (!root) {
      mkdirSync(folder);
      chmodSync(folder, 0o555);
    }
    const { code, said } = await runs.run(command(`${folder}/a.jsonl`));
    expect(code).toBe(11);
    expect(said).toContain(`${folder}/a.jsonl`);
    expect(said).toMatch(/permission denied|read-only/i);
  });

  it('is refused if another folder already has its name', async () => {
    mkdirSync(runs.path('mine.jsonl.export'));
    writeFileSync(runs.path('mine.jsonl.export/thesis.txt'), 'precious');
    for (const more of [[], ['--restart']]) {
      const { code, said } = await runs.run(command('mine.jsonl', ...more));
      expect(code).toBe(2);
      expect(said).toContain('thesis.txt');
    }
    expect(readFileSync(runs.path('mine.jsonl.export/thesis.txt'), 'utf8')).toBe('precious');
  });

  it('is what a link leads to, and the link stays', async () => {
    mkdirSync(runs.path('elsewhere'));
    writeFileSync(runs.path('elsewhere/real.jsonl'), 'old');
    symlinkSync('elsewhere/real.jsonl', runs.path('link.jsonl'));
    expect((await runs.run(command('link.jsonl'))).code).toBe(2);
    expect((await runs.run(command('link.jsonl', '--restart'))).code).toBe(0);
    expect(lstatSync(runs.path('link.jsonl')).isSymbolicLink()).toBe(true);
    expect(readFileSync(runs.path('elsewhere/real.jsonl'), 'utf8')).toBe(whole());
    expect((await runs.run(['export', 'verify', 'link.jsonl'])).code).toBe(0);
  });

  it.skipIf(!linux || !root)('may be a mounted folder', async () => {
    const disk = runs.path('volume');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk]);
    try {
      const { code, said } = await runs.run(command('volume/', '--format', 'csv'));
      expect(said).not.toContain('Could not');
      expect(code).toBe(0);
      expect((await runs.run(['export', 'verify', 'volume/'])).code).toBe(0);
      expect(existsSync(runs.path('volume.export'))).toBe(false);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('a manifest', () => {
  const breaks: [string, (file: string) => void, string][] = [
    [
      'edited',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"items": \d+/, '"items": 1')),
      'changed',
    ],
    ['cut', (file) => truncateSync(file, statSync(file).size - 40), 'not valid JSON'],
    ['foreign', (file) => writeFileSync(file, '{"name":"my package","version":1}'), 'another kind'],
    ['empty', (file) => writeFileSync(file, ''), 'not valid JSON'],
  ];

  it.each(breaks)(
    'that is %s is refused with the reason, and restarted with --restart',
    async (kind, damage, words) => {
      const out = `${kind}.jsonl`;
      expect((await runs.run(command(out))).code).toBe(0);
      damage(runs.path(`${out}.manifest.json`));
      runs.service.state.requests.length = 0;
      for (const args of [
        command(out),
        command(out, '--since-last'),
        ['export', 'verify', out],
        ['export', 'status', out],
      ]) {
        const { code, said } = await runs.run(args);
        expect(code).toBe(11);
        expect(said).toContain(words);
        expect(said).toContain('--restart');
      }
      expect(runs.service.state.requests).toEqual([]);
      expect((await runs.run(command(out, '--restart'))).code).toBe(0);
      expect(readFileSync(runs.path(out), 'utf8')).toBe(whole());
    },
  );

  it.each(['gone.jsonl', 'gone.sqlite', 'gone/', 'gone.parquet'])(
    'does not speak for files that are gone: %s',
    async (out) => {
      expect((await runs.run(command(out))).code).toBe(0);
      const [first = ''] = out.endsWith('/')
        ? readdirSync(runs.path(out), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => path.join(entry.parentPath, entry.name))
        : [runs.path(out)];
      rmSync(first);
      for (const more of out === 'gone.parquet' ? [[]] : [[], ['--since-last']]) {
        const { code, said } = await runs.run(command(out, ...more));
        expect(code).toBe(11);
        expect(said).toContain('gone');
        expect(said).toContain('--restart');
      }
      expect((await runs.run(['export', 'verify', out])).code).toBe(11);
    },
  );

  it('does not speak for a file that has grown: nothing of it is overwritten', async () => {
    expect((await runs.run(command('grown.jsonl'))).code).toBe(0);
    writeFileSync(runs.path('grown.jsonl'), 'a line of mine\n', { flag: 'a' });
    for (const more of [[], ['--since-last']]) {
      expect(await runs.run(command('grown.jsonl', ...more))).toMatchObject({ code: 11 });
    }
    expect(readFileSync(runs.path('grown.jsonl'), 'utf8')).toBe(`${whole()}a line of mine\n`);
  });
});

describe('what a stopped export has written', () => {
  it.each([
    ['lines.jsonl', 'lines.jsonl.export/data'],
    ['rows.sqlite', 'rows.sqlite.export/data'],
  ])('is not done without when it is gone: %s', async (out, file) => {
    await stopped(out);
    rmSync(runs.path(file));
    const { code, said } = await runs.run(command(out));
    expect(code).toBe(11);
    expect(said).toContain('removed after the export stopped');
    expect(said).toContain('--restart');
    expect((await runs.run(command(out, '--restart'))).code).toBe(0);
    expect(manifestOf(runs.path(out)).items).toBe(ROWS);
  });

  it('is not done without when a file of a folder is gone', async () => {
    await stopped('pieces/');
    const [record] = finishedIn(runs.path('pieces.export')).written;
    rmSync(runs.path(`pieces.export/files/${record?.file}`));
    expect(await runs.run(command('pieces/'))).toMatchObject({ code: 11, said: expect.stringContaining('--restart') });
  });

  it('continues only with the same options, and says which differ', async () => {
    await stopped('options.csv', '--columns', 'id,amount');
    const id = 'c'.repeat(20);
    const changes: [string, string[]][] = [
      ['the filters', ['--columns', 'id,amount', '--campaign', id]],
      ['--columns', ['--columns', 'id']],
      ['--columns', []],
      ['--gzip', ['--columns', 'id,amount', '--gzip']],
      ['--format', ['--columns', 'id,amount', '--format', 'tsv']],
      ['--csv-safe', ['--columns', 'id,amount', '--csv-safe']],
      ['--shard', ['--columns', 'id,amount', '--shard', '1/2']],
      ['--page-size', ['--columns', 'id,amount', '--page-size', '10']],
      ['--from', ['--columns', 'id,amount', '--from', String(FROM + 86_400)]],
      ['--to', ['--columns', 'id,amount', '--to', String(TO - 86_400)]],
    ];
    runs.service.state.requests.length = 0;
    for (const [name, more] of changes) {
      const { code, said } = await runs.run(command('options.csv', ...more));
      expect(said).toContain(name);
      expect(said).toContain('--restart');
      expect(code).toBe(2);
    }
    const other = await runs.run(command('options.csv', '--columns', 'id,amount'), {
      env: { COPS_API_KEY: 'another' },
    });
    expect(other).toMatchObject({ code: 2, said: expect.stringContaining('key') });
    expect(runs.service.state.requests).toEqual([]);
    expect((await runs.run(command('options.csv', '--columns', 'id,amount'))).code).toBe(0);
  });
});

describe('one target', () => {
  it.skipIf(process.platform === 'win32')('takes one export at a time', async () => {
    const { child, ended } = runs.start(command('locked.jsonl'));
    await runs.after(NEEDED / 2, () => child.kill('SIGSTOP'));
    for (const more of [[], ['--restart'], ['--since-last']]) {
      const second = await runs.run(command('locked.jsonl', ...more));
      expect(second).toMatchObject({ code: 11, said: expect.stringContaining('in use') });
    }
    child.kill('SIGCONT');
    expect((await ended).code).toBe(0);
    expect(readFileSync(runs.path('locked.jsonl'), 'utf8')).toBe(whole());
  });

  it('is taken over from a process that was killed, also when its number runs again', async () => {
    await stopped('stale.jsonl');
    const [flag = ''] = readdirSync(runs.folder).filter((name) => name.startsWith('stale.jsonl.export.lock-'));
    expect(flag).not.toBe('');
    // The same name with the number of this process, which runs and began at another time.
    const reused = flag.replace(/lock-\d+-/, `lock-${process.pid}-`);
    writeFileSync(runs.path(reused), '');
    expect((await runs.run(command('stale.jsonl'))).code).toBe(0);
    expect(readFileSync(runs.path('stale.jsonl'), 'utf8')).toBe(whole());
    expect(readdirSync(runs.folder).filter((name) => name.includes('lock-') && name.startsWith('stale'))).toEqual([]);
  });
});

describe('a target that another machine has locked', () => {
  it('is refused, and the way out is named: nobody here can tell whether it still runs', async () => {
    const flag = 'far.jsonl.export.lock-7-1.abcdef01-0badcafe-0123abcd';
    writeFileSync(runs.path(flag), '');
    const refused = await runs.run(command('far.jsonl'));
    expect(refused).toMatchObject({ code: 11, said: expect.stringContaining('another machine') });
    expect(refused.said).toContain(flag);
    rmSync(runs.path(flag));
    expect((await runs.run(command('far.jsonl'))).code).toBe(0);
  });
});

describe('the counters of the manifest', () => {
  it('cover all runs of one export', async () => {
    runs.service.state.requests.length = 0;
    const { child, ended } = runs.start(command('counted.jsonl', '--concurrency', '1'));
    void runs.after(NEEDED / 2, () => child.kill('SIGINT'));
    await ended;
    const before = runs.service.state.requests.length;
    expect((await runs.run(command('counted.jsonl', '--concurrency', '1'))).code).toBe(0);
    const all = runs.service.state.requests.length;
    const { requests } = manifestOf(runs.path('counted.jsonl'));
    expect(requests).toBeGreaterThan(all - before);
    // One that was on its way when it was stopped may never have come.
    expect(requests).toBeLessThanOrEqual(all + 1);
  });
});

/** @module-tag thorough */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { id, ok, type Reaction, type Recorded, type Service, startService } from '../../fixtures/service/service.js';
import { type Home, homeFor } from '../program.js';
import { linesOf, resealed } from './journals.js';

const started: { service: Service; home: Home }[] = [];

afterEach(async () => {
  for (const { service, home } of started.splice(0)) {
    await service.close();
    home.remove();
  }
});

const answers = (request: Recorded): Reaction =>
  request.method === 'GET' ? ok({ id: id('X'), live_mode: false }) : ok({ result: 'success' });

async function setting(handler: (request: Recorded) => Reaction = answers) {
  const service = await startService({ handler });
  const home = homeFor(service.baseUrl);
  started.push({ service, home });
  const file = (name: string, content: string | Buffer) => {
    const at = path.join(home.folder, name);
    writeFileSync(at, content);
    return at;
  };
  return { home, service, file, writes: () => service.requests.filter((one) => one.method === 'POST') };
}

const IDS = [1, 2, 3, 4].map((n) => id(`SUB${n}`));
const CANCEL = ['bulk', 'subscriptions', 'cancel'];

describe('what is given as input', () => {
  it('may have CRLF, a byte order mark, blank lines, quoted line ends, or stand in a pipe', {
    tags: ['thorough'],
  }, async () => {
    const { home, file, writes } = await setting();
    const ids = file('ids.txt', `\ufeff${IDS[0]}\r\n\r\n  \r\n${IDS[1]}`);
    expect((await home.run([...CANCEL, '--ids', ids])).code).toBe(0);
    const rows = `id,reason\r\n${IDS[2]},"two\nlines, ""quoted"""\r\n`;
    const piped = await home.run([...CANCEL, '--input', '-', '--no-validate'], { input: rows });
    expect([piped.code, piped.stderr]).toEqual([0, expect.stringContaining('Journal')]);
    expect(writes().map((one) => (one.json as { reason?: string }).reason)).toEqual([
      undefined,
      undefined,
      'two\nlines, "quoted"',
    ]);
  });

  it('is refused whole with one clear error, before any request', async () => {
    const { home, file, service } = await setting();
    const jsonl = Array.from({ length: 9_999 }, (_, n) =>
      n === 9_998 ? '{"id":' : `{"id":"row${String(n).padStart(17, '0')}"}`,
    );
    const cases: readonly (readonly [number, RegExp, string[]])[] = [
      [2, /line 2: is the same as line 1/, ['--ids', file('double', `${IDS[0]}\n${IDS[0]}\n`)]],
      [2, /these are 5000000/, ['--ids', file('long', 'x'.repeat(5_000_000))]],
      [11, /is not text/, ['--ids', file('binary', Buffer.from([0, 1, 2, 0xff]))]],
      [2, /no rows/, ['--ids', file('empty', '')]],
      [11, /is a folder/, ['--ids', home.folder]],
      [11, /no such file/, ['--ids', 'nowhere']],
      [2, /line 9999/, ['--input', file('bad.jsonl', jsonl.join('\n'))]],
      [2, /no column sum/, ['--input', file('a.csv', `id\n${IDS[0]}\n`), '-d', 'amount={sum}']],
      [2, /extra: is not a field/, ['--input', file('b.csv', `id,extra\n${IDS[0]},1\n`)]],
      [12, /there are 2 rows/, ['--ids', file('two', `${IDS[0]}\n${IDS[1]}\n`), '--expect', '3']],
      [2, /one of --ids, --input/, []],
      [2, /--apply is for/, ['--ids', file('one', `${IDS[0]}\n`), '--apply']],
    ];
    for (const [code, message, words] of cases) {
      const ran = await home.run(['bulk', 'product-sales', 'refund', ...words]);
      expect([words.join(' ').slice(0, 80), ran.code, ran.stdout], ran.stderr.slice(0, 3000)).toEqual([
        words.join(' ').slice(0, 80),
        code,
        '',
      ]);
      expect(ran.stderr).toMatch(message);
      expect(ran.stderr).not.toMatch(/Unexpected error|node:/);
    }
    expect(service.requests).toHaveLength(0);
  });

  it('shows the first requests of a dry run on a terminal, all elsewhere, and leaves nothing behind', async () => {
    const { home, service } = await setting();
    const many = Array.from({ length: 40 }, (_, n) => id(`SUB${n + 100}`)).join('\n');
    const journal = path.join(home.folder, 'j');
    const ran = await home.run([...CANCEL, '--ids', '-', '--journal', journal, '--dry-run', '-o', 'json'], {
      input: many,
    });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toHaveLength(40);
    expect(ran.stderr).toContain('40 requests; nothing');
    expect(ran.stderr).toContain('The items were not read');
    const seen = await home.run([...CANCEL, '--ids', '-', '--dry-run'], { input: many, terminal: 100 });
    expect(seen.stderr).toContain('40 requests, the first 5 shown');
    expect([service.requests.length, existsSync(journal), existsSync(`${journal}.rows`)]).toEqual([0, false, false]);
  });
});

describe('a journal', () => {
  async function run() {
    const parts = await setting();
    const journal = path.join(parts.home.folder, 'run.journal');
    const ids = parts.file('ids.txt', IDS.join('\n'));
    expect((await parts.home.run([...CANCEL, '--ids', ids, '--journal', journal])).code).toBe(0);
    return { ...parts, journal, text: readFileSync(journal, 'utf8'), sent: parts.writes().length };
  }

  it('that is missing, foreign, damaged or edited is one clear error, for every command on journals', async () => {
    const { home, file, journal, text, writes, sent } = await run();
    const [header = '', ...lines] = text.trimEnd().split('\n');
    const bad: Readonly<Record<string, string>> = {
      missing: path.join(home.folder, 'none'),
      folder: home.folder,
      binary: file('binary', Buffer.from([0, 159, 10, 1])),
      empty: file('empty', ''),
      foreign: file('foreign', '{"a":1}\n'),
      'two headers': file('two', `${text}${text}`),
      garbage: file('garbage', [header, lines[0], 'garbage', ...lines.slice(1), ''].join('\n')),
      'a row that is none': file('row', text.replace('"row":2,', '"row":9,')),
      'an outcome that is none': file('outcome', text.replace('"outcome":"done"', '"outcome":"fine"')),
      'a line that is none': file('line', `${text}{"type":"other"}\n`),
      'a header that is not whole': file('header', text.replace('"rows":4', '"rows":"4"')),
    };
    for (const [what, at] of Object.entries(bad)) {
      for (const command of ['status', 'resume', 'reconcile', 'retry-failed', 'report']) {
        const ran = await home.run(['bulk', command, at]);
        expect([what, command, ran.code, ran.stderr]).toEqual([what, command, 11, expect.stringMatching(/^Error: /)]);
        expect(ran.stderr).not.toContain('Unexpected error');
      }
    }
    expect(readFileSync(journal, 'utf8')).toBe(text);
    expect(writes()).toHaveLength(sent);
  }, 120_000);

  it('of another mode, profile or service sends nothing', async () => {
    const { home, journal, writes, sent } = await run();
    for (const env of [{ COPS_MODE: 'live' }, { COPS_BASE_URL: 'http://127.0.0.1:9' }]) {
      const ran = await home.run(['bulk', 'resume', journal, '--yes'], { env });
      expect([JSON.stringify(env), ran.code]).toEqual([JSON.stringify(env), 12]);
      expect(ran.stderr).toContain('was started with');
    }
    expect(writes()).toHaveLength(sent);
  });

  it('that was put back to an older state sends nothing that the history has as done', async () => {
    const { home, journal, text, writes, sent } = await run();
    writeFileSync(journal, `${text.split('\n')[0]}\n`);
    const ran = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain('the history knows more about it than the journal');
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, done: 0, unknown: 4 });
    expect(writes()).toHaveLength(sent);
  });

  it('takes a cut last line for a row that may have run, and asks with its own key', async () => {
    const { home, journal, text, writes, sent } = await run();
    const [header, ...lines] = text.trimEnd().split('\n');
    const intents = lines.filter((line) => line.includes('"intent"'));
    const kept = resealed(linesOf([header, ...intents].join('\n')));
    writeFileSync(journal, `${kept}{"type":"result","row":1,"li`);
    const ran = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    // The history knows of all that they were done, so none of them is asked for again.
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, unknown: 4 });
    expect(writes()).toHaveLength(sent);
  });

  it('whose input changed sends nothing', async () => {
    const { home, journal, text, writes, sent, file } = await run();
    writeFileSync(journal, `${text.split('\n')[0]}\n`);
    file('ids.txt', IDS.slice(1).join('\n'));
    const ran = await home.run(['bulk', 'resume', journal]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining('has changed since the run began')]);
    expect(writes()).toHaveLength(sent);
  });

  it('is reported as csv, json and table with row numbers, and takes no option in silence', async () => {
    const { home, journal } = await run();
    const csv = (await home.run(['bulk', 'report', journal, '-o', 'csv'])).stdout.trim().split('\n');
    expect(csv[0]).toMatch(/^row,line,id,outcome,/);
    expect(csv.slice(1).map((line) => line.split(',').slice(0, 4).join())).toEqual(
      IDS.map((one, index) => `${index + 1},${index + 1},${one},done`),
    );
    const json = JSON.parse((await home.run(['bulk', 'report', journal, '-o', 'json'])).stdout) as object[];
    expect(json.map((one) => (one as { row: number }).row)).toEqual([1, 2, 3, 4]);
    expect((await home.run(['bulk', 'report', journal, '-o', 'table'])).stdout).toMatch(/ROW +LINE/);
    for (const words of [
      ['status', journal, '--concurrency', '2'],
      ['resume', journal, '--ids', 'x'],
      ['report', journal, '--apply'],
    ]) {
      expect([words.join(' '), (await home.run(['bulk', ...words])).code]).toEqual([words.join(' '), 2]);
    }
  });
});

describe('rows that were under way when the process was killed', { tags: ['process'] }, () => {
  async function killed() {
    let stuck = true;
    const parts = await setting((request) => (request.method === 'POST' && stuck ? 'silence' : answers(request)));
    const journal = path.join(parts.home.folder, 'run.journal');
    const args = [
      ...CANCEL,
      '--ids',
      parts.file('ids.txt', IDS.join('\n')),
      '--journal',
      journal,
      '--concurrency',
      '2',
    ];
    const whileStuck = async (act: (child: ChildProcess) => Promise<void> | void) => {
      await parts.home.run(args, {
        onStart: (child) => {
          const timer = setInterval(() => {
            if (parts.writes().length < 2) return;
            clearInterval(timer);
            void Promise.resolve(act(child)).finally(() => child.kill('SIGKILL'));
          }, 2);
        },
      });
      stuck = false;
    };
    const end = async (env = {}) => {
      const sent = parts.writes().length;
      const ran = await parts.home.run(['bulk', 'resume', journal, '-o', 'json'], { env });
      return { ran, status: JSON.parse(ran.stdout) as object, again: parts.writes().slice(sent) };
    };
    return { ...parts, journal, whileStuck, end };
  }

  it('are sent once more with their own keys', async () => {
    const { whileStuck, end, writes } = await killed();
    await whileStuck(() => {});
    const keys = writes().map((one) => (one.json as { idempotency_key: string }).idempotency_key);
    const { ran, status, again } = await end();
    expect([ran.code, status]).toEqual([0, expect.objectContaining({ done: 4, unknown: 0 })]);
    const repeated = again.map((one) => (one.json as { idempotency_key: string }).idempotency_key);
    expect(repeated.filter((key) => keys.includes(key)).sort()).toEqual([...keys].sort());
  });

  it('are listed as unknown and not sent after 23 hours', async () => {
    const { whileStuck, end, journal } = await killed();
    await whileStuck(() => {});
    const old = (_all: string, name: string, time: string) =>
      `"${name}":"${new Date(Date.parse(time) - 23.5 * 3_600_000).toISOString()}"`;
    const aged = readFileSync(journal, 'utf8').replace(/"(time|created)":"([^"]+)"/g, old);
    writeFileSync(journal, resealed(linesOf(aged)));
    const { ran, status, again } = await end();
    expect([ran.code, status]).toEqual([9, expect.objectContaining({ done: 2, unknown: 2 })]);
    expect([again.length, ran.stderr]).toEqual([2, expect.stringContaining('23 hours')]);
  });

  it('are listed as unknown and not sent under another key', async () => {
    const { whileStuck, end } = await killed();
    await whileStuck(() => {});
    const { ran, status, again } = await end({ COPS_API_KEY: 'another_key_of_tests_2' });
    expect([ran.code, status]).toEqual([9, expect.objectContaining({ done: 2, unknown: 2 })]);
    expect([again.length, ran.stderr]).toEqual([2, expect.stringContaining('another API key')]);
  });

  it('belong to their runner as long as it lives', async () => {
    const { whileStuck, home, journal, writes } = await killed();
    await whileStuck(async () => {
      const second = await home.run(['bulk', 'resume', journal]);
      expect([second.code, second.stderr]).toEqual([11, expect.stringContaining('in use by another process')]);
      expect(writes()).toHaveLength(2);
    });
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  id,
  ok,
  type Reaction,
  type Recorded,
  refusal,
  type Service,
  slow,
  startService,
} from '../../fixtures/service/service.js';
import { type Home, homeFor } from '../program.js';

const started: { service: Service; home: Home }[] = [];

afterEach(async () => {
  for (const { service, home } of started.splice(0)) {
    await service.close();
    home.remove();
  }
});

async function setting(handler: (request: Recorded, index: number) => Reaction, mode: 'test' | 'live' = 'test') {
  const service = await startService({ handler });
  const home = homeFor(service.baseUrl, mode);
  started.push({ service, home });
  return { service, home, writes: () => service.requests.filter((one) => one.method === 'POST') };
}

const IDS = [1, 2, 3, 4, 5].map((n) => id(`SUB${n}`));

/** A service whose subscriptions are test items and whose cancellations work. */
const cancels = (request: Recorded): Reaction => {
  const subscription = /^\/subscriptions\/([^/]+)/.exec(request.path)?.[1];
  if (request.method === 'GET') return ok({ id: subscription, live_mode: false, status: 'active' });
  return ok({ subscription_id: subscription, result: 'success' });
};

describe('several ids on one command', () => {
  it('gives an array of answers in their order, one key each, and needs no question with a proven test key', async () => {
    const { home, writes } = await setting(cancels);
    const ran = await home.run(['subscriptions', 'cancel', ...IDS, '-o', 'json']);
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    expect((JSON.parse(ran.stdout) as { subscription_id: string }[]).map((one) => one.subscription_id)).toEqual(IDS);
    expect(
      writes()
        .map((one) => one.path)
        .sort(),
    ).toEqual(IDS.map((one) => `/subscriptions/${one}/cancel`));
    expect(new Set(writes().map((one) => (one.json as { idempotency_key: string }).idempotency_key)).size).toBe(5);
    const history = await home.run(['history', 'list', '-o', 'json']);
    expect(JSON.parse(history.stdout)).toHaveLength(5);
  });

  it('reads ids from standard input', async () => {
    const { home, writes } = await setting(cancels);
    const ran = await home.run(['subscriptions', 'cancel', '-'], { input: `${IDS.join('\r\n')}\r\n\r\n` });
    expect(ran.code).toBe(0);
    expect(writes()).toHaveLength(5);
  });

  it('ends with 10 if some were refused, and sends nothing twice', async () => {
    const { home, writes } = await setting((request) =>
      request.method === 'POST' && request.path.includes(IDS[1] ?? '') ? refusal(404, '', 'no such') : cancels(request),
    );
    const ran = await home.run(['subscriptions', 'cancel', ...IDS, '-o', 'json']);
    expect(ran.code).toBe(10);
    const answers = JSON.parse(ran.stdout) as Record<string, unknown>[];
    expect(answers).toHaveLength(5);
    expect(answers[1]).toMatchObject({ id: IDS[1], outcome: 'refused' });
    expect(JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { kind: 'incomplete' } });
    expect(writes()).toHaveLength(5);
  });

  it('sends nothing without --yes to a live service where nobody can be asked', async () => {
    const { home, writes } = await setting((request) => {
      const answer = cancels(request);
      return request.method === 'GET' ? ok({ id: IDS[0], live_mode: true }) : answer;
    }, 'live');
    const ran = await home.run(['subscriptions', 'cancel', ...IDS]);
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain('--yes');
    expect(writes()).toHaveLength(0);
    expect((await home.run(['subscriptions', 'cancel', ...IDS, '--yes'])).code).toBe(0);
    expect(writes()).toHaveLength(5);
  });

  it('refuses a list with a bad or a repeated id whole', async () => {
    const { home, service } = await setting(cancels);
    const ran = await home.run(['subscriptions', 'cancel', ...IDS, 'short', IDS[0] ?? '']);
    expect(ran.code).toBe(2);
    expect(service.requests).toHaveLength(0);
  });
});

describe('cops bulk', () => {
  const rows = (home: Home, text: string, name = 'rows.csv') => {
    const file = path.join(home.folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('refunds the rows of a CSV file through templates, and reports them', async () => {
    const { home, writes } = await setting((request) =>
      request.method === 'GET'
        ? ok({ id: IDS[0], live_mode: false })
        : ok({ result: 'success', subscription_renewal_id: request.path.split('/')[2] }),
    );
    const csv = rows(home, `\ufeffwhich,sum\r\n${IDS[0]},5.00\r\n${IDS[1]},12.50\r\n`);
    const journal = path.join(home.folder, 'run.journal');
    const args = [
      'bulk',
      'subscription-renewals',
      'refund',
      '--input',
      csv,
      '-d',
      'amount={sum}',
      '--journal',
      journal,
    ];
    const wrong = await home.run(args);
    expect(wrong.code).toBe(2);
    writeFileSync(csv, readFileSync(csv, 'utf8').replace('which,', 'subscription_renewal_id,'));
    const dry = await home.run([...args, '--dry-run', '-o', 'json']);
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toHaveLength(2);
    expect(writes()).toHaveLength(0);
    const ran = await home.run([...args, '-o', 'json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, done: 2 });
    expect(
      writes()
        .map((one) => one.body.replace(/"idempotency_key":"[^"]*"/, '').includes('5.00'))
        .filter(Boolean),
    ).toHaveLength(1);
    const report = await home.run(['bulk', 'report', journal, '-o', 'csv']);
    expect(report.stdout).toContain(`1,2,${IDS[0]},done,200`);
    expect((await home.run([...args, '-o', 'json'])).code).toBe(2);
    expect(readFileSync(journal, 'utf8')).not.toContain('key_of_the_tests');
  });

  it('asks for the count in a script of live mode', async () => {
    const { home, writes } = await setting(
      (request) => (request.method === 'GET' ? ok({ id: IDS[0], live_mode: true }) : ok({ result: 'success' })),
      'live',
    );
    const ids = rows(home, IDS.join('\n'), 'ids.txt');
    const args = ['bulk', 'subscriptions', 'suspend', '--ids', ids, '--journal', path.join(home.folder, 'j')];
    for (const more of [[], ['--yes'], ['--yes', '--expect', '4'], ['--expect', '5']]) {
      const ran = await home.run([...args, ...more]);
      expect([more.join(' '), ran.code]).toEqual([more.join(' '), 12]);
    }
    expect(writes()).toHaveLength(0);
    expect((await home.run([...args, '--yes', '--expect', '5'])).code).toBe(0);
    expect(writes()).toHaveLength(5);
  });

  it('does not repeat rows whose outcome is unknown, also not by hand, until they are settled', async () => {
    let broken = true;
    const { home, writes } = await setting((request) => {
      if (request.method === 'GET' && request.path.startsWith('/api_calls')) {
        return ok({ current_count: 0, current_page: 1, total_count: 0, total_pages: 0, results: [] });
      }
      if (request.method === 'POST' && broken) return { status: 500, body: '{"code":0}' };
      return cancels(request);
    });
    const ids = rows(home, IDS.join('\n'), 'ids.txt');
    const journal = path.join(home.folder, 'j');
    const ran = await home.run(['bulk', 'subscriptions', 'cancel', '--ids', ids, '--journal', journal]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain(`cops bulk reconcile ${journal}`);
    broken = false;
    const sent = writes().length;
    // Nothing is sent, and what is unknown is still told as that.
    expect((await home.run(['bulk', 'resume', journal])).code).toBe(9);
    expect((await home.run(['bulk', 'retry-failed', journal])).code).toBe(9);
    expect((await home.run(['subscriptions', 'cancel', IDS[0] ?? ''])).code).toBe(12);
    expect(writes()).toHaveLength(sent);
    const looked = await home.run(['bulk', 'reconcile', journal, '-o', 'json']);
    expect(looked.code).toBe(9);
    const found = JSON.parse(looked.stdout) as { history: string }[];
    expect(found).toMatchObject([{ row: 1, proposal: 'cannot_tell' }, {}, {}, {}, {}]);
    expect(looked.stderr).toContain('cops history settle');
    // What nobody can look up is settled by hand, and the journal takes it over.
    for (const [index, { history }] of found.entries()) {
      const as = index === 0 ? 'not-done' : 'done';
      expect((await home.run(['history', 'settle', history, '--as', as])).code).toBe(0);
    }
    const taken = await home.run(['bulk', 'reconcile', journal, '--apply', '-o', 'json']);
    expect(taken.code).toBe(0);
    expect((JSON.parse(taken.stdout) as { proposal: string }[]).map(({ proposal }) => proposal)).toEqual([
      ...['not_done', 'done', 'done', 'done', 'done'],
    ]);
    expect(JSON.parse((await home.run(['bulk', 'status', journal, '-o', 'json'])).stdout)).toMatchObject({
      ...{ unknown: 0, done: 4, not_done: 1 },
    });
    expect(writes()).toHaveLength(sent);
    expect((await home.run(['bulk', 'retry-failed', journal])).code).toBe(0);
    expect(writes()).toHaveLength(sent + 1);
  });

  it('loses and repeats nothing when it is killed again and again', {
    timeout: 120_000,
    tags: ['process'],
  }, async () => {
    const count = 60;
    const executed = new Map<string, number>();
    const keys = new Set<string>();
    const { home } = await setting((request) => {
      if (request.method === 'GET') return cancels(request);
      const key = (request.json as { idempotency_key: string }).idempotency_key;
      if (keys.has(key)) return refusal(400, 'E0583', 'duplicate');
      keys.add(key);
      executed.set(request.path, (executed.get(request.path) ?? 0) + 1);
      return slow(ok({ result: 'success' }), 20);
    });
    const many = Array.from({ length: count }, (_, index) => id(`SUB${index + 100}`));
    const ids = rows(home, many.join('\n'), 'ids.txt');
    const journal = path.join(home.folder, 'j');
    let middle = 0;
    let args = ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--journal', journal];
    for (let kill = 0; kill < 4; kill++) {
      const before = executed.size;
      await home.run(args, {
        onStart: (child) => {
          const timer = setInterval(() => {
            if (executed.size < before + 6) return;
            clearInterval(timer);
            child.kill('SIGKILL');
          }, 2);
          child.on('exit', () => clearInterval(timer));
        },
      });
      if (executed.size > before && executed.size < count) middle++;
      args = ['bulk', 'resume', journal];
    }
    expect(middle).toBeGreaterThanOrEqual(3);
    const ran = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    const status = JSON.parse(ran.stdout) as { done: number; unknown: number; rows: number };
    expect(status.done + status.unknown).toBe(count);
    expect(status.unknown).toBeLessThan(count);
    expect([...executed.values()].every((times) => times === 1)).toBe(true);
    // A row that was killed before it left is told as unknown, never as done.
    expect(executed.size).toBeGreaterThanOrEqual(status.done);
    expect(ran.code).toBe(status.unknown === 0 ? 0 : 9);
    expect(readdirSync(home.folder).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('finishes requests in flight on Ctrl-C, says how to continue, and continues', {
    timeout: 60_000,
    tags: ['process'],
  }, async () => {
    const { home, writes } = await setting((request) =>
      request.method === 'GET' ? cancels(request) : slow(ok({ result: 'success' }), 30),
    );
    const many = Array.from({ length: 80 }, (_, index) => id(`SUB${index + 100}`));
    const journal = path.join(home.folder, 'j');
    const ran = await home.run(
      ['bulk', 'subscriptions', 'cancel', '--ids', rows(home, many.join('\n'), 'ids.txt'), '--journal', journal],
      {
        onStart: (child) => {
          const timer = setInterval(() => {
            if (writes().length < 8) return;
            clearInterval(timer);
            child.kill('SIGINT');
          }, 2);
        },
      },
    );
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain(`cops bulk resume ${journal}`);
    const first = writes().length;
    expect(first).toBeLessThan(80);
    const resumed = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ done: 80, unknown: 0 });
    expect(writes()).toHaveLength(80);
  });
});

describe('a second Ctrl-C', () => {
  it('stops at once with 9, and nothing is lost', { timeout: 60_000, tags: ['process'] }, async () => {
    let stuck = true;
    const keys = new Set<string>();
    const { home, writes } = await setting((request) => {
      if (request.method === 'GET') return cancels(request);
      const key = (request.json as { idempotency_key: string }).idempotency_key;
      if (keys.has(key)) return refusal(400, 'E0583', 'duplicate');
      keys.add(key);
      return stuck ? 'silence' : ok({ result: 'success' });
    });
    const journal = path.join(home.folder, 'j');
    const file = path.join(home.folder, 'ids.txt');
    writeFileSync(file, IDS.join('\n'));
    const begun = Date.now();
    const ran = await home.run(
      ['bulk', 'subscriptions', 'cancel', '--ids', file, '--journal', journal, '--timeout', '25'],
      {
        onStart: (child) => {
          const timer = setInterval(() => {
            if (writes().length < 4) return;
            clearInterval(timer);
            child.kill('SIGINT');
            child.stderr?.once('data', () => child.kill('SIGINT'));
          }, 2);
        },
      },
    );
    expect(ran.code).toBe(9);
    // The answers would have been awaited for 25 seconds.
    expect(Date.now() - begun).toBeLessThan(20_000);
    stuck = false;
    const resumed = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(resumed.code).toBe(9);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ done: 1, unknown: 4 });
  });
});

describe('a row that another command did meanwhile', () => {
  it('is listed and not sent by resume, until that is asked for plainly', { timeout: 60_000 }, async () => {
    const { home, writes } = await setting((request) =>
      request.method === 'POST' && request.path.includes(IDS[1] ?? '') ? refusal(404, '', 'no such') : cancels(request),
    );
    const journal = path.join(home.folder, 'j');
    const file = path.join(home.folder, 'ids.txt');
    writeFileSync(file, IDS.join('\n'));
    const times = (index: number) => writes().filter((one) => one.path.includes(IDS[index] ?? '')).length;
    const begun = await home.run([
      ...['bulk', 'subscriptions', 'cancel', '--ids', file, '--journal', journal],
      ...['--concurrency', '1', '--max-failures', '1'],
    ]);
    expect([begun.code, writes().length]).toEqual([10, 2]);
    expect((await home.run(['subscriptions', 'cancel', IDS[2] ?? ''])).code).toBe(0);
    const other = path.join(home.folder, 'other.txt');
    writeFileSync(other, IDS[3] ?? '');
    expect((await home.run(['bulk', 'subscriptions', 'cancel', '--ids', other])).code).toBe(0);
    const resumed = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(resumed.code).toBe(10);
    expect(resumed.stderr).toContain('the same write as done');
    expect(resumed.stderr).toContain('--again');
    expect([times(2), times(3), times(4)]).toEqual([1, 1, 1]);
    const report = JSON.parse((await home.run(['bulk', 'report', journal, '-o', 'json'])).stdout) as object[];
    expect(report[2]).toMatchObject({
      row: 3,
      outcome: 'not_sent',
      message: expect.stringContaining('the same write as done'),
    });
    // Asked again it stays so; asked plainly it is sent.
    expect((await home.run(['bulk', 'resume', journal])).code).toBe(10);
    expect([times(2), times(3), times(4)]).toEqual([1, 1, 1]);
    await home.run(['bulk', 'resume', journal, '--again']);
    expect([times(2), times(3), times(4)]).toEqual([2, 2, 1]);
  });

  it('is not sent again by its own run when that died with it under way', {
    timeout: 60_000,
    tags: ['process'],
  }, async () => {
    let stuck = true;
    const { home, writes } = await setting((request) =>
      request.method === 'POST' && stuck ? 'silence' : cancels(request),
    );
    const journal = path.join(home.folder, 'j');
    const file = path.join(home.folder, 'ids.txt');
    writeFileSync(file, IDS.slice(0, 2).join('\n'));
    await home.run(['bulk', 'subscriptions', 'cancel', '--ids', file, '--journal', journal], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (writes().length < 2) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 2);
      },
    });
    stuck = false;
    expect((await home.run(['subscriptions', 'cancel', IDS[0] ?? '', '--again'])).code).toBe(0);
    const sent = writes().length;
    const resumed = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(resumed.code).toBe(9);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ done: 1, unknown: 1 });
    expect(writes()).toHaveLength(sent + 1);
  });
});

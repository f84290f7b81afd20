import { describe, expect, it } from 'vitest';
import { sealed } from '../../../src/account/journal/seal.js';
import { exitCodeOf } from '../../../src/bulk/row-error.js';
import { Disk, dice, type Faults, HEADER, Machine, ROWS, Service, stateOf, work } from '../../property/bulk/world.js';

const NONE: Faults = {
  dropBefore: 0,
  dropAfter: 0,
  notSent: 0,
  throttled: 0,
  broken: 0,
  halfBody: 0,
  refused: 0,
  declined: 0,
  early: 0,
};
const NOW = 1_800_000_000_000;

function setting(faults: Partial<Faults>, more: Partial<Parameters<typeof work>[0]> = {}) {
  let minted = 0;
  const disk = new Disk();
  const service = new Service({ ...NONE, ...faults }, dice(7), () => NOW);
  const run = (again: Partial<Parameters<typeof work>[0]> = {}) =>
    work({
      disk,
      service,
      machine: new Machine(dice(1), -1),
      credential: 'key-1',
      now: () => NOW,
      first: disk.content.length === 0,
      keyless: false,
      mint: () => `00000000-0000-4000-8000-${String(++minted).padStart(12, '0')}`,
      ...more,
      ...again,
    }).then((end) => {
      if (end === 'died') throw new Error('died');
      return end;
    });
  return { disk, service, run };
}

describe('a bulk run', () => {
  it('does every row once and exits with 0', async () => {
    const { service, run, disk } = setting({});
    const summary = await run();
    expect(summary.counts.done).toBe(ROWS);
    expect(exitCodeOf(summary)).toBe(0);
    expect([...service.executed.values()]).toEqual(Array(ROWS).fill(1));
    await run();
    expect([...service.executed.values()]).toEqual(Array(ROWS).fill(1));
    expect((await stateOf(disk)).count('done')).toBe(ROWS);
  });

  it('never repeats unknown rows, exits with 9', async () => {
    const { service, run } = setting({ dropAfter: 1 });
    const summary = await run();
    expect(summary.counts.unknown).toBe(ROWS);
    expect(exitCodeOf(summary)).toBe(9);
    const again = await run();
    expect(again.counts.unknown).toBe(ROWS);
    expect([...service.executed.values()]).toEqual(Array(ROWS).fill(1));
  });

  it('stops after that many failures, and ends with 10 once something was done', async () => {
    const { run, service } = setting({ refused: 0.4 }, { maxFailures: 3 });
    const summary = await run();
    expect(summary.stopped).toBe('failures');
    expect(summary.counts.refused).toBeGreaterThanOrEqual(3);
    expect(summary.counts.refused).toBeLessThanOrEqual(3 + 3);
    expect(summary.counts.not_started).toBeGreaterThan(0);
    expect(exitCodeOf(summary)).toBe(service.executed.size > 0 ? 10 : 1);
  });

  it('has the code of the one reason when nothing was done at all', async () => {
    const declined = await setting({ declined: 1 }).run();
    expect(exitCodeOf(declined)).toBe(5);
    const nobody = await setting({ notSent: 1 }).run();
    expect(nobody.stopped).toBe('unreachable');
    expect(exitCodeOf(nobody)).toBe(8);
    const slow = await setting({ throttled: 1 }).run();
    expect(exitCodeOf(slow)).toBe(7);
  });

  it('continues if nothing was done, with the key that was refused only for speed', async () => {
    const first = setting({ throttled: 1 });
    await first.run();
    const keysOf = (text: string, row: number) =>
      text
        .split('\n')
        .filter((line) => line.includes(`"type":"intent","row":${row},`))
        .map((line) => JSON.parse(line).key);
    const healed = new Service(NONE, dice(2), () => NOW);
    const summary = await first.run({ service: healed });
    expect(summary.counts.done).toBe(ROWS);
    const [before, after] = keysOf(first.disk.content.toString(), 1);
    expect(before).toBe(after);
  });

  it('finishes what is in flight on the first interrupt and exits with 130', async () => {
    const soft = new AbortController();
    let ends = 0;
    const { run, disk, service } = setting({}, { soft: soft.signal, ends: () => ++ends === 5 && soft.abort() });
    const summary = await run();
    expect(summary.stopped).toBe('interrupted');
    expect(exitCodeOf(summary)).toBe(130);
    expect(exitCodeOf(summary, 143)).toBe(143);
    expect(summary.counts.open).toBe(0);
    expect(summary.counts.done).toBeLessThan(ROWS);
    const state = await stateOf(disk);
    expect(state.count('done')).toBe(service.executed.size);
  });

  it('leaves what is in flight open on the second interrupt, exits with 9, and loses nothing', async () => {
    const soft = new AbortController();
    const hard = new AbortController();
    const { run, disk, service } = setting({});
    const handle = service.handle.bind(service);
    let requests = 0;
    service.handle = (...args) => {
      if (++requests === 6) {
        soft.abort();
        hard.abort();
      }
      return handle(...args);
    };
    const summary = await run({ soft: soft.signal, hard: hard.signal });
    expect(summary.counts.open).toBeGreaterThan(0);
    expect(exitCodeOf(summary)).toBe(9);
    const resumed = await run();
    expect(resumed.counts.open).toBe(0);
    expect([...service.executed.values()].every((times) => times === 1)).toBe(true);
    expect((await stateOf(disk)).count('done') + (await stateOf(disk)).count('unknown')).toBe(ROWS);
  });

  it('stops at a disk that takes no more, without sending what is not recorded', async () => {
    const { run, disk, service } = setting({});
    const file = disk.file.bind(disk);
    disk.file = (machine) => {
      const inner = file(machine);
      return {
        ...inner,
        append: async () => {
          const to = await inner.append();
          let groups = 0;
          return {
            ...to,
            write: (bytes: Buffer) => {
              if (++groups > 4) throw new Error('ENOSPC');
              return to.write(bytes);
            },
          };
        },
      };
    };
    const summary = await run();
    expect(summary.stopped).toBe('journal');
    expect(exitCodeOf({ ...summary, counts: { ...summary.counts, open: 0 } })).toBe(11);
    const state = await stateOf(disk);
    expect(service.executed.size).toBeLessThanOrEqual(state.count('done', 'open'));
  });

  it('puts no secret and no body into the journal', async () => {
    const { run, disk } = setting({});
    await run();
    expect(disk.content.toString()).not.toMatch(/body|x-api-key/);
    expect(disk.content.toString().split('\n')[0]).toBe(sealed(HEADER, 1, 0));
  });
});

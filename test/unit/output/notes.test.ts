import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Meter } from '../../../src/screen/meter.js';
import { atOnce, heldNotes, makeNotes, type NotesOptions } from '../../../src/screen/notes.js';
import { PLAIN, palette } from '../../../src/screen/style.js';
import { Failing, Memory } from './helpers.js';

function notesWith(options: Partial<NotesOptions>) {
  const stderr = new Memory();
  let time = 1_000_000;
  const notes = makeNotes({
    stderr,
    quiet: false,
    verbose: false,
    colours: PLAIN,
    interactive: false,
    now: () => time,
    ...options,
  });
  return {
    notes,
    stderr,
    tick: (ms: number) => {
      time += ms;
    },
  };
}

describe('notes', () => {
  test.each([
    [{}, 'note\nwarn\n'],
    [{ quiet: true }, 'warn\n'],
    [{ verbose: true }, 'note\nwarn\ndetail\n'],
    [{ verbose: true, quiet: true }, 'warn\n'],
  ])('with %j', (options, text) => {
    const { notes, stderr } = notesWith(options);
    notes.note('note');
    notes.warn('warn');
    notes.detail('detail');
    expect(stderr.text).toBe(text);
  });

  test('show live mode at a glance, and nothing in yellow, which vanishes on white', async () => {
    const { notes, stderr } = notesWith({ interactive: true, colours: await palette(true) });
    notes.warn('LIVE mode, profile shop');
    const codes = [...stderr.text.matchAll(/\[([\d;]+)m/g)].flatMap(([, code = '']) => code.split(';'));
    expect(codes).toEqual(['35', '41', '97', '1', '22', '39', '35', '49', '39']);
  });

  test('are inert on a terminal and coloured only when told', async () => {
    const { notes, stderr } = notesWith({ interactive: true, colours: await palette(true) });
    notes.note('a\u001b[2Jb');
    notes.warn('c');
    expect(stderr.text).toBe('\u001b[2ma\\u001b[2Jb\u001b[22m\n\u001b[35mc\u001b[39m\n');
  });

  test('stand after the answer, warnings first, each once; what is said at once takes earlier ones along', () => {
    const { notes: own, stderr } = notesWith({});
    const { notes, tell, open } = heldNotes(own);
    for (const text of ['note', 'again', 'again']) notes.note(text);
    notes.warn('warning');
    expect(stderr.text).toBe('');
    tell();
    expect(stderr.text).toBe('warning\nnote\nagain\n');
    notes.note('before');
    atOnce(notes).warn('now');
    notes.note('held');
    expect(stderr.text).toBe('warning\nnote\nagain\nbefore\nnow\n');
    open();
    notes.note('free');
    expect(stderr.text).toMatch(/held\nfree\n$/);
  });

  test('a broken standard error stops nothing', async () => {
    const { notes } = notesWith({ stderr: new Failing('EPIPE') });
    notes.note('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => notes.note('b')).not.toThrow();
  });
});

describe('progress', () => {
  test('comes once a minute on a pipe, from the second second of a job', () => {
    const { notes, stderr, tick } = notesWith({});
    for (let i = 0; i < 130; i++) {
      notes.progress(`${i} s`);
      tick(1000);
    }
    expect(stderr.text).toBe('2 s\n62 s\n122 s\n');
  });

  test('of short jobs leaves nothing on a pipe, however many follow one another', () => {
    const { notes, stderr, tick } = notesWith({});
    for (let i = 0; i < 10; i++) {
      notes.progress('looking, 125 read');
      tick(1000);
      notes.progress('looking, 250 read');
      notes.progressDone();
    }
    expect(stderr.text).toBe('');
  });

  test('comes no sooner on a pipe where another part of the command begins', () => {
    const { notes, stderr, tick } = notesWith({});
    const part = (text: string): void => {
      notes.progress(text);
      tick(2000);
      notes.progress(text);
      notes.progressDone();
    };
    part('looking, 125 read');
    part('21 of 140 rows');
    tick(60_000);
    part('22 of 140 rows');
    expect(stderr.text).toBe('looking, 125 read\n22 of 140 rows\n');
  });

  test('goes on after the clock was set back', () => {
    const { notes, stderr, tick } = notesWith({});
    notes.progress('begins');
    tick(2000);
    notes.progress('a');
    tick(-3_600_000);
    notes.progress('set back');
    tick(2000);
    notes.progress('b');
    expect(stderr.text).toBe('a\nb\n');
  });

  test('replaces itself on a terminal, makes room for notes and goes away', () => {
    const { notes, stderr, tick } = notesWith({ interactive: true });
    notes.progress('one');
    tick(10);
    notes.progress('too soon');
    tick(200);
    notes.progress('two');
    notes.note('said');
    notes.progressDone();
    notes.progressDone();
    const clear = '\r\u001b[2K';
    expect(stderr.text).toBe(`${clear}one${clear}two${clear}said\n${clear}two${clear}`);
  });

  test('has a bar with its share on a terminal, and the share alone on a pipe', () => {
    const seen = notesWith({ interactive: true });
    seen.notes.progress('5 of 16 rows', 5 / 16);
    expect(seen.stderr.text).toBe('\r\u001b[2K█████░░░░░░░░░░░  31 % · 5 of 16 rows');
    const piped = notesWith({});
    piped.notes.progress('4 of 16 rows', 4 / 16);
    piped.tick(2000);
    piped.notes.progress('5 of 16 rows', 5 / 16);
    expect(piped.stderr.text).toBe('31 % · 5 of 16 rows\n');
  });

  test('of a job that is measured has count, speed and time left, and comes neither at once nor at every step', () => {
    const told: string[] = [];
    let now = 1000;
    const meter = new Meter({ progress: (text) => told.push(text) }, () => now, { unit: 'rows' }, 100);
    for (let done = 101; done <= 400; done++) {
      now += 20;
      meter.show(done, 2000, ['1 failed']);
    }
    expect(told[0]).toBe('140 of 2,000 rows · 50/s · 37 s left · 1 failed');
    expect(told.length).toBeLessThan(25);
  });

  test('says nothing when quiet', () => {
    const { notes, stderr } = notesWith({ interactive: true, quiet: true });
    notes.progress('one', 0.5);
    notes.progressDone();
    expect(stderr.text).toBe('');
  });
});

describe('a sign of life', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('appears only for slow calls and leaves nothing behind', () => {
    const { notes, stderr } = notesWith({ interactive: true });
    const quick = notes.busy('reading');
    vi.advanceTimersByTime(399);
    quick.done();
    vi.advanceTimersByTime(5000);
    expect(stderr.text).toBe('');
    const slow = notes.busy('reading');
    vi.advanceTimersByTime(600);
    slow.done();
    expect(stderr.text).toContain('⠋ reading');
    expect(stderr.text.endsWith('\r\u001b[2K')).toBe(true);
    const length = stderr.text.length;
    vi.advanceTimersByTime(5000);
    expect(stderr.text.length).toBe(length);
  });

  test('is silent on a pipe', () => {
    const { notes, stderr } = notesWith({});
    notes.busy('reading');
    vi.advanceTimersByTime(5000);
    expect(stderr.text).toBe('');
  });

  test('never turns beside a progress line, nor twice at once', () => {
    const { notes, stderr } = notesWith({ interactive: true });
    notes.progress('3 of 9');
    const beside = notes.busy('reading');
    vi.advanceTimersByTime(500);
    beside.done();
    expect(stderr.text).not.toContain('reading');
    notes.progressDone();
    const first = notes.busy('one');
    const second = notes.busy('two');
    vi.advanceTimersByTime(500);
    second.done();
    first.done();
    expect(stderr.text).toContain('one');
    expect(stderr.text).not.toContain('two');
  });

  test('a terminal that cannot redraw gets no sign, and progress in lines of their own', () => {
    const { notes, stderr, tick } = notesWith({ interactive: true, plain: true });
    notes.busy('reading');
    vi.advanceTimersByTime(500);
    notes.progress('3 of 9');
    tick(2000);
    notes.progress('4 of 9');
    notes.progress('5 of 9');
    notes.progressDone();
    expect(stderr.text).toBe('4 of 9\n');
  });
});

test('paints nothing in a colour that vanishes on a white or a black terminal', async () => {
  const colours = await palette(true);
  const painted = [colours.good, colours.bad, colours.mild, colours.strong, colours.faint].map((paint) => paint('x'));
  // Yellow, cyan, white, black and their bright kin.
  for (const text of painted) expect(text).not.toMatch(/\[(?:30|33|36|37|90|93|96|97)m/);
});

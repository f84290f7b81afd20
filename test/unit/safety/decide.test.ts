import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/account/safety/decide.js';
import { failure, type ProfileFacts, profile } from './tools.js';

type Row = [
  facts: ProfileFacts,
  risk: 'read' | 'write' | 'money' | 'irreversible' | 'unknown',
  at: string,
  expected: string | number,
];

const TEST_PROVEN: ProfileFacts = { mode: 'test', proof: 'proven' };
const TEST_OPEN: ProfileFacts = { mode: 'test', proof: 'unproven' };
const LIVE: ProfileFacts = { mode: 'live', proof: 'proven' };

const rows: Row[] = [
  [TEST_PROVEN, 'irreversible', 'script', 'allow'],
  [TEST_PROVEN, 'unknown', 'script', 'allow'],
  [TEST_OPEN, 'read', 'script', 'allow'],
  [TEST_OPEN, 'write', 'script', 'allow'],
  [TEST_OPEN, 'money', 'script', 12],
  [TEST_OPEN, 'irreversible', 'script', 12],
  [TEST_OPEN, 'unknown', 'script', 12],
  [TEST_OPEN, 'money', 'terminal', 'ask'],
  [TEST_OPEN, 'irreversible', 'terminal', 'ask-typed'],
  [TEST_OPEN, 'unknown', 'terminal', 'ask-typed'],
  [TEST_OPEN, 'irreversible', 'yes', 'allow'],
  [TEST_OPEN, 'irreversible', 'dry', 'allow'],
  [LIVE, 'read', 'script', 'allow'],
  [LIVE, 'write', 'script', 'allow'],
  [LIVE, 'money', 'script', 12],
  [LIVE, 'money', 'terminal', 'ask'],
  [LIVE, 'irreversible', 'terminal', 'ask-typed'],
  [LIVE, 'money', 'yes', 'allow'],
  [{ ...TEST_OPEN, modeAssumed: true }, 'money', 'script', 12],
  [{ ...TEST_PROVEN, modeAssumed: true }, 'money', 'script', 'allow'],
  [{ ...TEST_OPEN, embedded: true }, 'irreversible', 'script', 'allow'],
  [{ ...TEST_OPEN, embedded: true, modeAssumed: true }, 'irreversible', 'script', 12],
  [{ mode: 'live', embedded: true }, 'money', 'script', 12],
  [{ ...TEST_PROVEN, readOnly: true }, 'read', 'yes', 'allow'],
  [{ ...TEST_PROVEN, readOnly: true }, 'write', 'yes', 12],
  [{ ...TEST_PROVEN, readOnly: true }, 'money', 'dry', 12],
  [{ mode: 'test', proof: 'contradicted' }, 'read', 'yes', 12],
  [{ mode: 'live', proof: 'contradicted' }, 'read', 'yes', 12],
];

describe('decide', () => {
  it.each(rows)('%j, %s, %s: %s', async (facts, risk, at, expected) => {
    const run = () =>
      decide({ risk, profile: profile(facts), yes: at === 'yes', canPrompt: at === 'terminal', dryRun: at === 'dry' });
    if (typeof expected === 'number') expect((await failure(run)).exitCode).toBe(expected);
    else expect(run()).toBe(expected);
  });

  it.each([
    [TEST_PROVEN, 'write', {}, 'ask'],
    [TEST_PROVEN, 'irreversible', {}, 'ask'],
    [TEST_OPEN, 'irreversible', {}, 'ask-typed'],
    [LIVE, 'irreversible', { byName: true }, 'ask-typed'],
    [TEST_PROVEN, 'irreversible', { yes: true }, 'allow'],
    [TEST_PROVEN, 'read', {}, 'allow'],
  ] as const)('asks about the one of several that was chosen: %j, %s, %j: %s', (facts, risk, more, expected) => {
    const input = { profile: profile(facts), yes: false, canPrompt: true, dryRun: false, chosen: true, ...more };
    expect(decide({ ...input, risk })).toBe(expected);
  });

  it('takes an unknown GET for a read', () => {
    const input = { profile: profile(LIVE), yes: false, canPrompt: false, dryRun: false } as const;
    expect(decide({ ...input, risk: 'unknown', method: 'GET' })).toBe('allow');
  });

  it('tells a script how to go on', async () => {
    const error = await failure(() =>
      decide({ risk: 'money', profile: profile(TEST_OPEN), yes: false, canPrompt: false, dryRun: false }),
    );
    expect(error.facts.hint).toMatch(/--yes/);
    expect(error.message).toMatch(/guarded as live/);
  });
});

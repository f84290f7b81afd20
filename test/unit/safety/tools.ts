import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Mode, ModeProof, Profile } from '../../../src/account/profiles/types.js';
import type { Processes, ProcessId } from '../../../src/base/files/lock.js';

export function folder(): string {
  return mkdtempSync(join(tmpdir(), 'cops-safety-'));
}

const said = <T>(value: T) => ({ value, source: 'a test' });

export interface ProfileFacts {
  name?: string;
  mode?: Mode;
  proof?: ModeProof;
  readOnly?: boolean;
  modeAssumed?: boolean;
  embedded?: boolean;
  fingerprint?: string;
  baseUrl?: string;
}

export function profile(facts: ProfileFacts = {}): Profile {
  const [name, mode, embedded] = [facts.name ?? 'acme', facts.mode ?? 'test', facts.embedded ?? false];
  return {
    name: said(name),
    account: { profile: name, mode, embedded },
    baseUrl: said(facts.baseUrl ?? 'https://service.test/v2'),
    mode: said(mode),
    modeAssumed: facts.modeAssumed ?? false,
    key: said('key_for_tests_only_0001'),
    fingerprint: facts.fingerprint ?? 'fp1',
    proof: facts.proof ?? 'unproven',
    readOnly: said(facts.readOnly ?? false),
    walletWord: said('wallet'),
    idempotencyKey: said('auto' as const),
    rangeEnds: said('in' as const),
    mirror: said('ask' as const),
    tz: said('UTC'),
    rate: said(undefined),
    output: said(undefined),
    idCache: said(true),
    caFile: said(undefined),
    clientCert: said(undefined),
    clientKey: said(undefined),
    embedded,
  };
}

/** A process table in which only the named numbers run. */
export function processTable(
  self: number,
  running: readonly number[] = [self],
): Processes & { kill(pid: number): void } {
  const alive = new Set(running);
  return {
    self: { pid: self, started: `s${self}`, host: 'h' },
    state: (id: ProcessId) => (id.host !== 'h' ? 'elsewhere' : alive.has(id.pid) ? 'running' : 'gone'),
    kill: (pid) => alive.delete(pid),
  };
}

export async function failure(
  work: Promise<unknown> | (() => unknown),
): Promise<{ exitCode: number; message: string; facts: { hint?: string } }> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return error as never;
  }
  throw new Error('it should have failed');
}

/** Bundles a TypeScript file into one CommonJS script, to be run (and killed) as a process of its own. */
export async function bundle(entry: string, out: string): Promise<void> {
  await build({ entryPoints: [entry], outfile: out, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
}

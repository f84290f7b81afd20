import type { Context } from '../../command/context.js';
import { openTransport } from '../../http/client.js';
import { fingerprint } from '../../profiles/keys.js';
import { type Probe, probeKey } from '../../profiles/probe.js';
import type { Mode } from '../../profiles/types.js';
import { openProofs } from '../../safety/proofs.js';

/** A key before it is filed. */
export interface Candidate {
  readonly profile: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly mode: Mode;
}

/** Tries a key that is not filed yet with one read, over a connection of its own. */
export async function probeCandidate(context: Context, candidate: Candidate): Promise<Probe> {
  const { world, options } = context;
  const transport = await openTransport({
    baseUrl: candidate.baseUrl,
    key: candidate.key,
    env: world.env,
    userAgent: `cops/${world.version}`,
    tuneEngine: world.tuneEngine,
    trace: options.debug ? (line: string) => context.notes.warn(line) : undefined,
  });
  try {
    const probe = await probeKey(transport, {
      now: () => world.now(),
      timeoutMs: options.timeout * 1000,
      signal: world.interrupted,
    });
    if (probe.liveMode === (candidate.mode === 'live')) await rememberProof(context, candidate, probe.liveMode);
    return probe;
  } finally {
    await transport.close();
  }
}

/** What a probe has shown counts from now on: the key's first write need not prove it again. */
async function rememberProof(context: Context, candidate: Candidate, liveMode: boolean): Promise<void> {
  const source = 'login';
  await openProofs(context.configDir, { warn: (text) => context.notes.warn(text) }).observe(liveMode, {
    name: { value: candidate.profile, source },
    baseUrl: { value: candidate.baseUrl, source },
    mode: { value: candidate.mode, source },
    modeAssumed: false,
    embedded: false,
    fingerprint: fingerprint(candidate.key),
  });
}

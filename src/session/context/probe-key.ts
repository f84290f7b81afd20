import { fingerprint } from '../../account/profiles/keys.js';
import { type Probe, probeKey } from '../../account/profiles/probe.js';
import type { Mode } from '../../account/profiles/types.js';
import { openProofs } from '../../account/safety/proofs.js';
import { openTransport } from '../../service/http/client.js';
import type { Context } from './context.js';

/** A key before it is filed. */
export interface Candidate {
  readonly profile: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly mode: Mode;
}

/** Tries a key that is not filed yet with one read, over a connection of its own. */
export async function probeCandidate(context: Context, candidate: Candidate): Promise<Probe> {
  const { world, options, notes } = context;
  const { profile, baseUrl, key, mode } = candidate;
  const transport = await openTransport({
    baseUrl,
    key,
    env: world.env,
    userAgent: `cops/${world.version}`,
    tuneEngine: world.tuneEngine,
    trace: options.debug ? (line: string) => notes.warn(line) : undefined,
  });
  try {
    const probe = await probeKey(transport, {
      now: () => world.now(),
      timeoutMs: options.timeout * 1000,
      signal: world.interrupted,
    });
    if (probe.liveMode === (mode === 'live')) {
      // What a probe has shown counts from now on: the key's first write need not prove it again.
      const source = 'login';
      await openProofs(context.configDir, { warn: (text) => notes.warn(text), isDry: options.dryRun }).observe(
        probe.liveMode,
        {
          modeAssumed: false,
          embedded: false,
          fingerprint: fingerprint(key),
          name: { value: profile, source },
          baseUrl: { value: baseUrl, source },
          mode: { value: mode, source },
        },
      );
    }
    return probe;
  } finally {
    await transport.close();
  }
}

import type { Candidate } from '../commands/login.js';
import { openTransport } from '../http/client.js';
import { type Probe, probeKey } from '../profiles/probe.js';
import type { Context } from './context.js';
import { VERSION } from './version.js';

/** Tries a key that is not filed yet with one read, over a connection of its own. */
export async function probeCandidate(context: Context, candidate: Candidate): Promise<Probe> {
  const { world, options } = context;
  const transport = await openTransport({
    baseUrl: candidate.baseUrl,
    key: candidate.key,
    env: world.env,
    userAgent: `cops/${VERSION}`,
    ...(options.debug ? { trace: (line: string) => context.notes.warn(line) } : {}),
  });
  try {
    return await probeKey(transport, {
      now: () => world.now(),
      timeoutMs: options.timeout * 1000,
      signal: world.interrupted,
    });
  } finally {
    await transport.close();
  }
}

import {
  type Reply,
  type SendOptions,
  type ServiceRequest,
  type Transport,
  TransportError,
} from '../../base/transport.js';
import type { KeptThread } from '../../base/world.js';
import { accountOf } from '../rules/accounts.js';
import { openSandboxStore } from '../store/open-store.js';
import { bodyBytes } from '../store/prebuilt-json.js';
import { createService } from './service.js';

/** The embedded service: a transport without a network. */
export interface SandboxTransport extends Transport {
  /** The sandbox's clock, milliseconds. */
  now(): number;
}

export interface SandboxOptions {
  /** Folder of `sandbox.sqlite`, created and filled on first use. */
  readonly dataDir: string;
  /** The key of every request (`keys.ts`); its account decides between test and live. */
  readonly key: string;
  /** The machine's clock, milliseconds. */
  readonly now?: () => number;
  /** Whether this is a dry run: nothing falls due, and only the records of its calls are kept. */
  readonly isTrial?: boolean;
  /** A thread for functions that outlives the service. */
  readonly functionThread?: KeptThread | undefined;
}

/**
 * Opens the embedded service on `<dataDir>/sandbox.sqlite`.
 * @throws CopsError `local` when the database cannot be used.
 */
export async function openSandbox(options: SandboxOptions): Promise<SandboxTransport> {
  const { dataDir, now = Date.now, isTrial, functionThread } = options;
  const opened = await openSandboxStore({ dataDir, now, trial: isTrial ? 'calls' : undefined, functionThread });
  const service = createService(isTrial ? { ...opened, moment: () => ({ ...opened.moment(), isDue: false }) } : opened);
  let open = true;
  return {
    now: opened.now,
    async send(request: ServiceRequest, { signal }: SendOptions): Promise<Reply> {
      if (!open) throw new TransportError('not_sent', 'CLOSED', 'The sandbox is closed.');
      signal?.throwIfAborted();
      const answer = await service.handle({ ...request, key: options.key });
      return { status: answer.status, headers: answer.headers, body: bodyBytes(answer.body) };
    },
    oldest() {
      const account = accountOf(opened.database, options.key);
      if (!open || !account?.enabled || account.permissions || !opened.isReady()) return undefined;
      const moments = ['customers', 'sales'].flatMap((family) => opened.store.oldest(family, account.live) ?? []);
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
    changed() {
      const account = accountOf(opened.database, options.key);
      return open && account && opened.isReady()
        ? opened.store.newest('site_events', account.live)?.created
        : undefined;
    },
    async close() {
      open = false;
      await service.close();
      opened.database.close();
    },
  };
}

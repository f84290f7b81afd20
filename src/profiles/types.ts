export type Mode = 'test' | 'live';

/** Where a value came from, shown by `whoami --verbose`. */
export interface Sourced<T> {
  readonly value: T;
  /** `flag --live`, `COPS_MODE`, `profile acme`, `default`. */
  readonly source: string;
}

/** What is stored of a key: where to find it, or the key itself; never shown unmasked. */
export type KeyReference =
  | { readonly kind: 'stored'; readonly key: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'keychain'; readonly account: string };

/** A profile as the configuration file holds it. */
export interface StoredProfile {
  readonly base_url?: string;
  readonly test_key?: KeyReference;
  readonly live_key?: KeyReference;
  readonly mode?: Mode;
  readonly output?: string;
  readonly tz?: string;
  readonly rate?: number;
  readonly read_only?: boolean;
  readonly wallet_word?: string;
  readonly idempotency_key?: 'auto' | 'always' | 'never';
  /** Pattern of the web application's addresses: `{family}` and `{id}` stand for an item's. */
  readonly web_url?: string;
  /** The pager for long answers, as a shell runs it; `off` for none. */
  readonly pager?: string;
  /** False: ids that were read are not kept for completion. */
  readonly id_cache?: boolean;
}

/** Whether a key's mode was shown by an item's `live_mode` (command line, section 3). */
export type ModeProof = 'proven' | 'unproven' | 'contradicted';

/** A profile resolved once, before any request; frozen. */
export interface Profile {
  readonly name: Sourced<string>;
  readonly baseUrl: Sourced<string>;
  readonly mode: Sourced<Mode>;
  /**
   * True when nobody said which mode the key has (`COPS_API_KEY` without a mode): guarded as live until
   * proven, whatever `mode` says.
   */
  readonly modeAssumed: boolean;
  readonly key: Sourced<string>;
  /** A hash of the key that names it in proofs, history and journals. */
  readonly fingerprint: string;
  readonly proof: ModeProof;
  readonly readOnly: Sourced<boolean>;
  readonly walletWord: Sourced<string>;
  readonly idempotencyKey: Sourced<'auto' | 'always' | 'never'>;
  readonly tz: Sourced<string>;
  readonly rate: Sourced<number | undefined>;
  readonly output: Sourced<string | undefined>;
  /** The embedded service inside the process instead of a network address. */
  readonly embedded: boolean;
}

/** How a stored reference becomes the key. */
export interface KeyReading {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Longest run of a key command, milliseconds. */
  readonly commandTimeoutMs?: number;
  /** Reads the system's keychain, instead of the real one. */
  readonly keychain?: (account: string) => Promise<string>;
}

import type { AccountLine } from '../../screen/types.js';
import type { ResolvedValues, SettingName, ValueOf } from './settings.js';

export type Mode = ValueOf<'mode'>;

/** Where a value came from, shown by `whoami --verbose`. */
export interface Sourced<T> {
  readonly value: T;
  /** `flag --live`, `COPS_MODE`, `profile acme`, `default`. */
  readonly source: string;
}

/** What is stored for a key: its place, or the key itself; never shown unmasked. */
export type KeyReference =
  | { readonly kind: 'stored'; readonly key: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'keychain'; readonly account: string };

/** What is stored for an event signing secret: like a key, with the previous one while both are valid. */
export interface StoredEventSecret {
  readonly key: KeyReference;
  readonly former?: KeyReference | undefined;
  /** Until when the previous one also signs, unix seconds. */
  readonly former_until?: number | undefined;
}

/** A profile as the configuration file stores it. */
export type StoredProfile = { readonly [Name in SettingName]?: ValueOf<Name> } & {
  readonly test_key?: KeyReference;
  readonly live_key?: KeyReference;
};

/** The settings of a resolved profile, each with its source; undefined if nothing is set and there is no default. */
export type ResolvedSettings = { readonly [Name in keyof ResolvedValues]: Sourced<ResolvedValues[Name]> };

/** Whether a key's mode was shown by an item's `live_mode` (command-line.md#keys-and-modes). */
export type ModeProof = 'proven' | 'unproven' | 'contradicted';

/** A profile resolved once, before any request; frozen. */
export interface Profile extends ResolvedSettings {
  readonly name: Sourced<string>;
  /** The account whose items it reads, as shown above them. */
  readonly account: AccountLine;
  /**
   * True if nobody said which mode the key has (`COPS_API_KEY` without a mode): guarded as live until proven, whatever
   * `mode` says.
   */
  readonly modeAssumed: boolean;
  readonly key: Sourced<string>;
  /** A hash of the key that names it in proofs, history and journals. */
  readonly fingerprint: string;
  readonly proof: ModeProof;
  /** The embedded service inside the process instead of a network address. */
  readonly embedded: boolean;
}

/** How a stored reference turns into the key. */
export interface KeyReading {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the configuration, which says what a key command must not see. */
  readonly configDir?: string | undefined;
  readonly signal?: AbortSignal;
  /** Longest run of a key command, milliseconds. */
  readonly commandTimeoutMs?: number;
  /** True with a person at the terminal: a command may ask there. */
  readonly hasTerminal?: boolean | undefined;
  /** Reads the system's keychain, instead of the real one. */
  readonly keychain?: (account: string) => Promise<string>;
}

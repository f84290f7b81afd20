import { join } from 'node:path';
import { CopsError, local } from '../../base/errors/errors.js';
import { whileLocked } from '../../base/files/lock.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { cops, say } from '../../base/text/command-line.js';
import { fileFault } from '../profiles/faults.js';
import type { Mode, Profile } from '../profiles/types.js';

/** The parts of a profile that decide whether its key is proven. */
export type ProvableKey = Pick<Profile, 'fingerprint' | 'baseUrl' | 'mode' | 'modeAssumed' | 'embedded'>;

export type ObservedProfile = ProvableKey & Pick<Profile, 'name'>;

interface Entry {
  readonly fingerprint: string;
  readonly base_url: string;
  readonly mode: Mode;
}

export interface ProofsOptions {
  /** Called if a proof could not be stored: later runs still guard the key as live. */
  readonly warn?: (text: string) => void;
  /** True for a dry run: judges what is shown, and does not remember it. */
  readonly isDry?: boolean;
}

/** Opens the proofs of a configuration folder; reads nothing before the first question. */
export function openProofs(configDir: string, options: ProofsOptions = {}) {
  const path = join(configDir, 'proofs.json');
  let entries: Promise<readonly Entry[]> | undefined;
  const known = () => {
    entries ??= readEntries(path);
    return entries;
  };
  // Pages that arrive together share the first one's look, which reads a file and may write it.
  const observed = new Map<string, Promise<'proven'>>();

  const modeOf = async (fingerprint: string, baseUrl: string) => find(await known(), fingerprint, baseUrl)?.mode;

  const prove = async (shown: Mode, profile: ObservedProfile): Promise<'proven'> => {
    const contradicts = !profile.modeAssumed && shown !== profile.mode.value;
    const before = await modeOf(profile.fingerprint, profile.baseUrl.value);
    const both = before !== undefined && before !== shown;
    if (!options.isDry && (!profile.embedded || contradicts)) {
      // A key that showed both modes is stored as live, which guards more.
      const mode = both ? 'live' : shown;
      try {
        await remember(path, { fingerprint: profile.fingerprint, base_url: profile.baseUrl.value, mode });
        entries = undefined;
      } catch (error) {
        // Without a stored proof, later runs guard the key as live, so a read need not fail for it.
        const { message } = fileFault(
          "The proof of the key's mode could not be stored",
          path,
          (error as Error).cause ?? error,
        );
        options.warn?.(`${message}. COPS_CONFIG_DIR names another folder.`);
      }
    }
    if (contradicts) throw contradiction(shown, profile);
    if (both) throw showsBoth(before, shown, profile, path);
    return 'proven';
  };

  return {
    /**
     * The mode that items read with this key at this service have shown, or undefined.
     * @throws CopsError local (11) if the file is damaged: that must not silently pass for "unproven".
     */
    modeOf,

    /** Whether a declared mode is proven, contradicted or open. The embedded service's own keys are proven. */
    async proofOf(key: ProvableKey) {
      if (key.embedded && !key.modeAssumed) return 'proven';
      const mode = await modeOf(key.fingerprint, key.baseUrl.value);
      if (mode === undefined) return 'unproven';
      if (mode === key.mode.value) return 'proven';
      // Nobody declared a mode, so nothing is contradicted; the proven mode counts from here on.
      return key.modeAssumed ? 'unproven' : 'contradicted';
    },

    /**
     * To be called with `live_mode` of every item before it is printed. Remembers what the key is, once.
     * @throws CopsError stopped (12) when the item contradicts the declared mode.
     */
    observe(itemLiveMode: boolean, profile: ObservedProfile) {
      const shown: Mode = itemLiveMode ? 'live' : 'test';
      const tag = `${profile.fingerprint} ${profile.baseUrl.value} ${profile.mode.value} ${shown}`;
      const known = observed.get(tag) ?? prove(shown, profile);
      observed.set(tag, known);
      return known;
    },
  };
}

/** The error for a key that is not the kind its profile says (exit code 12). */
export function contradiction(shown: Mode, profile: Pick<Profile, 'name' | 'mode'>): CopsError {
  const declared = profile.mode.value;
  const whatNext = say`Store the key as the ${shown} key of the profile (${cops`profiles edit ${profile.name.value} --${shown}-key <ref>`}), or use --${shown}.`;
  return new CopsError(
    'stopped',
    `stopped: the key of profile ${profile.name.value} is declared as a ${declared} key (${profile.mode.source}), but ` +
      `the service shows it ${shown} items`,
    {
      hint: say`The item was neither shown nor stored, and no further request was sent. ${whatNext}`,
      whatNext,
      more: { declared_mode: declared, shown_mode: shown },
    },
  );
}

function showsBoth(before: Mode, shown: Mode, profile: Pick<Profile, 'name'>, path: string): CopsError {
  const hint =
    'A key never changes its mode, so something is wrong (another service at this address?). Once you are ' +
    `sure, delete its entry from ${path}.`;
  return new CopsError(
    'stopped',
    `stopped: the key of profile ${profile.name.value} has shown ${before} items before and shows ${shown} items now`,
    { hint, whatNext: hint, more: { proven_mode: before, shown_mode: shown } },
  );
}

const find = (entries: readonly Entry[], fingerprint: string, baseUrl: string): Entry | undefined =>
  entries.find((entry) => entry.fingerprint === fingerprint && entry.base_url === baseUrl);

async function readEntries(path: string): Promise<readonly Entry[]> {
  let text: string;
  try {
    const bytes = readOwnFile(path);
    if (bytes === undefined) return [];
    text = bytes.toString('utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [];
    throw local(`cannot read ${path}: ${message}`, undefined, cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(path);
  }
  const proofs = (value as { proofs?: unknown } | null)?.proofs;
  if (!Array.isArray(proofs) || !proofs.every(isEntry)) throw damaged(path);
  return proofs;
}

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | null;
  return (
    typeof entry?.fingerprint === 'string' &&
    typeof entry.base_url === 'string' &&
    (entry.mode === 'test' || entry.mode === 'live')
  );
}

const damaged = (path: string): CopsError =>
  local(
    `${path} is damaged: it does not contain the proven modes of keys`,
    'It was not changed. Delete it to prove every key again; until then keys are guarded as live.',
  );

async function remember(path: string, entry: Entry): Promise<void> {
  if (isKnown(await readEntries(path), entry)) return;
  return whileLocked(path, { what: 'The file of proven key modes' }, async () => {
    const entries = await readEntries(path);
    if (isKnown(entries, entry)) return;
    const others = entries.filter((one) => one.fingerprint !== entry.fingerprint || one.base_url !== entry.base_url);
    await replaceFile(path, `${JSON.stringify({ version: 1, proofs: [...others, entry] }, null, 2)}\n`);
  });
}

const isKnown = (entries: readonly Entry[], entry: Entry): boolean =>
  find(entries, entry.fingerprint, entry.base_url)?.mode === entry.mode;

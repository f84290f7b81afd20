import { usage } from '../errors/errors.js';
import { didYouMean } from '../errors/nearest.js';
import { describeReference } from './keys.js';
import { SANDBOX } from './names.js';
import type { StoredProfile } from './types.js';
import {
  checkBaseUrl,
  checkFlag,
  checkIdempotency,
  checkMode,
  checkOutput,
  checkPager,
  checkRate,
  checkWalletWord,
  checkWebUrl,
  checkZone,
} from './values.js';

type Value = string | number | boolean;

/** A setting of a profile that is no key: its name in the file, and how its text is read. */
export interface Setting {
  readonly name: keyof StoredProfile & string;
  readonly about: string;
  /** @throws CopsError `usage` naming `source` */
  readonly parse: (text: string, source: string) => Value;
  readonly default?: Value;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'base_url', about: 'address of the service, version 2 root', parse: checkBaseUrl },
  { name: 'mode', about: 'test or live, when the line does not say', parse: checkMode, default: 'test' },
  { name: 'output', about: 'output format, when the line does not say', parse: checkOutput },
  { name: 'tz', about: 'time zone for dates in and out', parse: checkZone },
  { name: 'rate', about: 'most requests a second', parse: checkRate },
  { name: 'read_only', about: 'true refuses everything that is not a read', parse: checkFlag, default: false },
  {
    name: 'wallet_word',
    about: "the service's word where the documentation says wallet",
    parse: checkWalletWord,
    default: 'wallet',
  },
  {
    name: 'idempotency_key',
    about: 'auto, always or never send an idempotency key',
    parse: checkIdempotency,
    default: 'auto',
  },
  { name: 'web_url', about: 'address of an item in the web application, with {family} and {id}', parse: checkWebUrl },
  { name: 'pager', about: 'program that shows long answers (less -FRX), or off', parse: checkPager },
  { name: 'id_cache', about: 'false keeps no ids for completion', parse: checkFlag, default: true },
];

/** A setting by its name, dashes or underscores. @throws CopsError `usage` with the nearest name */
export function settingByName(text: string): Setting {
  const name = text.replaceAll('-', '_');
  const found = SETTINGS.find((setting) => setting.name === name);
  if (found !== undefined) return found;
  if (name === 'test_key' || name === 'live_key')
    throw usage(
      'Keys are not set here.',
      `Use \`cops login\`, or \`cops profiles edit <name> --${name.replace('_', '-')} <env:NAME | @file | - | cmd:...>\`.`,
    );
  const names = SETTINGS.map((setting) => setting.name);
  throw usage(
    `There is no setting ${JSON.stringify(text.slice(0, 64))}.${didYouMean(name, names)}`,
    `Settings: ${names.join(', ')}, current, alias.<name>.`,
  );
}

/** A stored profile as it may be shown: keys masked, every field there, null where nothing is stored. */
export function shownProfile(name: string, stored: StoredProfile, current: boolean): Record<string, unknown> {
  const { test_key: testKey, live_key: liveKey } = stored;
  const builtIn = name === SANDBOX;
  return {
    profile: name,
    current,
    base_url: stored.base_url ?? null,
    test_key: builtIn ? 'built in' : testKey === undefined ? null : describeReference(testKey),
    live_key: builtIn ? 'built in' : liveKey === undefined ? null : describeReference(liveKey),
    mode: stored.mode ?? 'test',
    output: stored.output ?? null,
    tz: stored.tz ?? null,
    rate: stored.rate ?? null,
    read_only: stored.read_only ?? false,
    wallet_word: stored.wallet_word ?? 'wallet',
    idempotency_key: stored.idempotency_key ?? 'auto',
    web_url: stored.web_url ?? null,
    pager: stored.pager ?? null,
    id_cache: stored.id_cache ?? true,
  };
}

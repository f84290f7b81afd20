import { isAbsolute } from 'node:path';
import { usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { isPostgresAddress, refuseAddress } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { checkBaseUrl, isLoopback } from '../../service/http/base-url.js';
import { type Holding, SETTINGS, type Setting, type SettingName, TOLD_OTHERWISE, type ValueOf } from './settings.js';

/** The highest request rate that makes sense, requests per second. */
const HIGHEST_RATE = 10_000;

/** How texts and numbers are read, by setting. @throws CopsError `usage` naming `source` */
const CHECKS: {
  readonly [Name in Holding<'text' | 'number'>]: (text: string, source: string) => ValueOf<Name>;
} = {
  base_url: checkBaseUrl,
  tz: checkZone,
  rate: checkRate,
  wallet_word: checkWalletWord,
  ledger: checkLedger,
  ca_file: checkPath,
  client_cert: checkPath,
  client_key: checkClientKey,
  web_url: checkWebUrl,
  pager: checkPager,
  update_url: checkUpdateUrl,
  mirror: checkMirror,
};

/** The name of a choice in an error. */
const CHOICES: Readonly<Record<string, string>> = {
  output: 'output format',
  idempotency_key: 'idempotency_key setting',
  range_ends: 'range_ends setting',
};

/** The value of a setting from its text, checked. @throws CopsError `usage` naming `source` */
export function checkSetting<Name extends SettingName>(name: Name, text: string, source: string): ValueOf<Name> {
  const { holds } = SETTINGS.find((setting) => setting.name === name) as Setting;
  if (holds === 'by family') throw noFamily(name);
  const value =
    holds === 'flag'
      ? checkFlag(text, source)
      : typeof holds === 'string'
        ? CHECKS[name as Holding<'text' | 'number'>](text, source)
        : oneOf(text, holds, CHOICES[name] ?? name, source);
  return value as ValueOf<Name>;
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
/** Shorter words occur in many sentences by chance. */
const FEWEST_LETTERS = 5;

/** Settings whose description contains a word, whatever their name: `timezone` finds `tz`. */
function neighbours(text: string): string {
  const word = lettersOf(text);
  const about = SETTINGS.filter((setting) => lettersOf(setting.about).includes(word)).map(({ name }) => name);
  return word.length < FEWEST_LETTERS || about.length === 0 ? '' : ` Did you mean ${about.slice(0, 3).join(' or ')}?`;
}

/** The displayed name of a setting: `columns.<family>`. */
export const shownName = ({ name, holds }: Setting): string => (holds === 'by family' ? `${name}.<family>` : name);

/** A setting by its name, dashes or underscores. @throws CopsError `usage` with the nearest name */
export function settingByName(text: string) {
  const name = text.replaceAll('-', '_');
  const [first = '', part] = name.split(/\.(.*)/s);
  const found = SETTINGS.find((setting) => setting.name === (part === undefined ? name : first));
  if (found !== undefined && part === undefined) return { setting: found };
  if (found?.holds === 'by family') return { setting: found, family: listedFamilyOf(part ?? '', found.name) };
  if (name === 'test_key' || name === 'live_key')
    throw usage(
      'Keys cannot be set here.',
      say`Use \`${cops`login`}\`, or \`${cops`profiles edit <name> --${name.replace('_', '-')} <env:NAME | @file | - | cmd:...>`}\`.`,
    );
  const told = TOLD_OTHERWISE.find(({ called }) => called.test(name));
  if (told) throw usage(`There is no setting ${JSON.stringify(text.slice(0, 64))}.`, told.says);
  const names = SETTINGS.map((setting) => shownName(setting));
  const near =
    didYouMean(
      first,
      SETTINGS.map((setting) => setting.name),
    ) || neighbours(text);
  throw usage(
    `There is no setting ${JSON.stringify(text.slice(0, 64))}.${near}`,
    `Settings: ${names.join(', ')}, current, alias.<name>.`,
  );
}

/** The name of a family that has a list. @throws CopsError `usage` with the nearest one */
function listedFamilyOf(word: string, setting: string): string {
  const entry = familyByCommand(word);
  if (entry?.actions.some(({ action }) => action === 'list')) return entry.name;
  const listed = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === 'list'));
  const commands = listed.map(({ command }) => command);
  throw usage(
    `${setting}.${word.slice(0, 64)}: ${entry ? `${entry.command} has no list` : 'there is no such family'}.${entry ? '' : didYouMean(word.replaceAll('_', '-'), commands)}`,
    `For example: ${setting}.customers.`,
  );
}

const noFamily = (setting: string): Error =>
  usage(
    `${setting} holds something for each family: name one.`,
    say`For example: ${cops`config set ${`${setting}.customers`} name,email,country`}`,
  );

/** Most columns that one list is given. */
const MOST_COLUMNS = 60;

/** Names of columns with commas between them, each once. @throws CopsError `usage` naming `source` */
export function checkColumnNames(text: string, source: string): string {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const isOdd = names.some((name) => name.length > 100 || /[\x00-\x1f\x7f]/.test(name));
  if (names.length === 0 || names.length > MOST_COLUMNS || isOdd)
    throw usage(
      `${shown(text)} (${source}) names no columns.`,
      `At most ${MOST_COLUMNS} dotted paths with commas between: name,email,country.`,
    );
  return names.join(',');
}

function checkZone(text: string, source: string): string {
  if (text === 'UTC') return text;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    const zones = Intl.supportedValuesOf('timeZone');
    const city = text.trim().toLowerCase().replaceAll(' ', '_');
    const [meant, another] = zones.filter((zone) => zone.toLowerCase().endsWith(`/${city}`));
    // The answer shows the zone of the city.
    if (meant !== undefined && another === undefined) return meant;
    const near = didYouMean(text, zones);
    throw usage(`${shown(text)} (${source}) is not a time zone.${near}`, 'Use a name such as Europe/Berlin or UTC.');
  }
}

function checkRate(text: string, source: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(rate > 0 && rate <= HIGHEST_RATE))
    throw usage(`${shown(text)} (${source}) is not a rate.`, 'Use a number of requests per second, above 0.');
  return rate;
}

function checkWalletWord(text: string, source: string): string {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(text))
    throw usage(`${shown(text)} (${source}) cannot be the word for wallet.`, 'Use lower-case letters and digits.');
  return text;
}

function checkLedger(text: string, source: string): string {
  if (!/^postgres(ql)?:\/\/\S+$/i.test(text) || /^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(text))
    // Does not repeat it, because it may contain a password.
    throw usage(
      `The text from ${source} is not the address of a ledger, or contains a password.`,
      'Use the form postgres://<user>@<host>/<database>',
    );
  return text;
}

/** A pattern of web addresses: `https://`, with a place for the id. */
function checkWebUrl(text: string, source: string): string {
  const filled = text.replaceAll('{family}', 'family').replaceAll('{id}', 'id');
  const right =
    /^https?:\/\/[^/]/.test(text) && URL.canParse(filled) && !/[\s{}]/.test(filled) && text.includes('{id}');
  if (!right)
    throw usage(
      `${shown(text)} (${source}) is not the pattern of a web address.`,
      'For example https://app.example.com/{family}/{id}: {id} stands for the id.',
    );
  return text;
}

/** The absolute path of a file, because the profile is used in many folders. */
function checkPath(text: string, source: string): string {
  if (!isAbsolute(text) || text.includes('\0'))
    throw usage(
      `${shown(text)} (${source}) is not an absolute path.`,
      'It must start with /, such as /etc/ssl/acme-ca.pem.',
    );
  return text;
}

function checkClientKey(text: string, source: string): string {
  if (text.startsWith('@')) return `@${checkPath(text.slice(1), source)}`;
  if (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text) || /^cmd:\s*\S/.test(text)) return text;
  throw usage(
    `${source} takes the place of a private key, not the key itself.`,
    'Use env:NAME, @file or cmd:<command line>; cops reads it at each use.',
  );
}

/** How a profile keeps its mirror, or its team's address; other faults of an address are reported at its use. */
function checkMirror(text: string, source: string): string {
  if (!isPostgresAddress(text)) {
    refuseAddress(text, source);
    return oneOf(text, ['ask', 'auto', 'never'], 'mirror setting', source);
  }
  if (/^[^/]*\/\/[^/@]*:[^/]*@|[?&]password=/.test(text))
    throw usage(`The address from ${source} contains a password.`, 'Put it into PGPASSWORD or ~/.pgpass instead.');
  return text;
}

function checkUpdateUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username !== '')
    throw usage(
      `${shown(text)} (${source}) is not an address for the newest version.`,
      'Use an https address that returns a version, or JSON with one: https://example.com/cops/version',
    );
  return text;
}

/** A pager as a shell runs it, on one line. */
function checkPager(text: string, source: string): string {
  const command = text.trim();
  if (command === '' || command.length > 500 || /[\x00-\x1f\x7f]/.test(command))
    throw usage(
      `${shown(text)} (${source}) is not a pager.`,
      'Use a program and its arguments, such as "less -FRX", or off.',
    );
  return command;
}

function checkFlag(text: string, source: string): boolean {
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  if (['false', 'no', 'off', '0'].includes(text)) return false;
  throw usage(`${shown(text)} (${source}) is neither true nor false.`);
}

function oneOf(text: string, allowed: readonly string[], what: string, source: string): string {
  const found = allowed.find((each) => each === text);
  if (found === undefined)
    throw usage(
      `${shown(text)} (${source}) is no ${what}.${didYouMean(text, allowed)}`,
      `One of ${allowed.join(', ')}.`,
    );
  return found;
}

/** Outside text on one line of a message. */
const shown = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);

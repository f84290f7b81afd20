import { join } from 'node:path';
import { checkSetting } from '../../account/profiles/setting-checks.js';
import { readOwnText } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { DAY } from '../../base/time/units.js';
import type { World } from '../../base/world.js';

/** Longest wait for the address, in milliseconds: a notice is not worth more. */
const WAIT_MS = 1000;
/** Longer than any valid answer, bytes. */
const LONGEST_ANSWER = 10_000;
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** The result of a check and its time. */
interface Checked {
  /** Unix seconds. */
  readonly at: number;
  readonly version?: string | undefined;
}

/**
 * The notice of a newer version, shown at most once a day. The address comes from the profile or the environment;
 * nothing about the machine, the account or a key is sent. The command has already run: no failure here may change how
 * it ended.
 */
export async function updateNotice(world: World, address: string, dataDir: string): Promise<Text | undefined> {
  const file = join(dataDir, 'update-check.json');
  const now = Math.floor(world.now() / 1000);
  try {
    const last = await readChecked(file);
    if (last && last.at <= now && now - last.at < DAY) return undefined;
    const version = await newestAt(checkSetting('update_url', address, 'update_url'), world.interrupted);
    await replaceFile(file, `${JSON.stringify({ at: now, version })}\n`);
    if (version === undefined || !isNewer(version, world.version)) return undefined;
    return say`cops ${version} is out; this is ${world.version}. ${cops`update`} shows how to get it.`;
  } catch {
    return undefined;
  }
}

async function readChecked(file: string): Promise<Checked | undefined> {
  try {
    const { at, version } = JSON.parse(readOwnText(file)) as Checked;
    return typeof at === 'number' ? { at, version } : undefined;
  } catch {
    return undefined;
  }
}

/** The version at the address: bare text, or `version` of a JSON object; undefined for anything else. */
async function newestAt(address: string, interrupted: AbortSignal): Promise<string | undefined> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(WAIT_MS)]);
  try {
    const answer = await fetch(address, { signal, redirect: 'error', headers: { 'user-agent': 'cops' } });
    if (!answer.ok || !answer.body) return undefined;
    const text = (await beginningOf(answer.body)).trim();
    const told: unknown = text.startsWith('{') ? (JSON.parse(text) as { version?: unknown }).version : text;
    return typeof told === 'string' && VERSION.test(told) ? told : undefined;
  } catch {
    return undefined;
  }
}

/** Reads no more of an answer than a version can need. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > LONGEST_ANSWER) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

const isNewer = (version: string, own: string): boolean =>
  version.localeCompare(VERSION.exec(own)?.[0] ?? '0.0.0', 'en', { numeric: true }) > 0;

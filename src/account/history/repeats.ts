import { type CopsError, stopped } from '../../base/errors/errors.js';
import { cops, placeholder, say } from '../../base/text/command-line.js';
import type { Entry, Pending } from './types.js';

/** The facts reported about the write that blocks this one. */
export interface OtherWrite extends Pick<Entry, 'id' | 'time' | 'pid' | 'outcome' | 'user' | 'machine'> {
  readonly finished?: string | null | undefined;
  readonly settles?: string | null | undefined;
}

/** Who did it, if it may have been another machine. */
const byWhom = ({ user, machine }: OtherWrite): string => (user === undefined ? '' : ` by ${user} on ${machine}`);

/** The error of the repeat guard (exit code 12). */
export function repeatRefused(entry: OtherWrite): CopsError {
  if (entry.outcome === 'done') return doneMeanwhile(entry);
  const running = entry.outcome === 'running';
  const by = byWhom(entry);
  const what = running
    ? `the same write is still running (begun${by} ${by ? 'at ' : ''}${entry.time}, process ${entry.pid})`
    : `the same write was begun${by} at ${entry.time} and its outcome is unknown`;
  const settles = entry.settles ? ` ${entry.settles}` : '';
  return stopped(
    `${what}: it may already have been done`,
    say`See it with: ${cops`history show ${entry.id}`}.${settles} Record the true outcome with: ${cops`history settle ${entry.id} --as ${placeholder('done|not-done')}`}. To send it again anyway, add --again.`,
    { history: entry.id },
  );
}

function doneMeanwhile(entry: OtherWrite): CopsError {
  return stopped(
    `the same write was done${byWhom(entry)} at ${entry.finished}, after this command began: it is not sent a second time`,
    say`See it with: ${cops`history show ${entry.id}`}. To send it again anyway, add --again.`,
    { history: entry.id },
  );
}

/** @throws CopsError stopped (12), with the intent taken back, if an equal write exists */
export async function refuseRepeat(pending: Pending, other: Entry | undefined): Promise<Pending> {
  if (!other) return pending;
  await pending.finish({ outcome: 'not_sent' });
  throw repeatRefused(other);
}

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CopsError, local } from '../../base/errors/errors.js';
import { WHY } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';

/** No export makes links. */
const WORDS: Readonly<Record<string, string>> = { ...WHY, ELOOP: 'it is a link, which no export makes' };

/** A file fault as a local error (exit code 11) that names the path and the way on. */
export function exportFault(error: unknown, path: string, doing: string): CopsError {
  if (error instanceof CopsError) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const why = (code && WORDS[code]) ?? code ?? (error instanceof Error ? error.message : String(error));
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return local(
    `Could not ${doing} ${path}: ${why}.`,
    full ? 'Make room and run the same command again: it goes on where it stopped.' : undefined,
    error,
  );
}

/** Does the work on a file; what the system says against it becomes `fileFault`. */
export async function onFile<T>(path: string, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw exportFault(error, path, doing);
  }
}

/** Makes a folder and those above it, for their owner only. */
export async function makeTargetFolder(path: string): Promise<void> {
  await onFile(path, 'create', async () => makeFolder(path));
}

/** What an export that was stopped had written is not there any more. */
export function changedSince(path: string): CopsError {
  return local(`${path} was changed or removed since the export was stopped.`, 'Begin anew with --restart.');
}

/** Writes every buffer at the position, whatever the system takes at once. Returns the bytes written. */
export async function writeAll(file: FileHandle, buffers: readonly Buffer[], position: number): Promise<number> {
  let at = position;
  // Linux takes 1,024 buffers a call.
  for (let i = 0; i < buffers.length; i += 512) {
    const group = buffers.slice(i, i + 512);
    const wanted = group.reduce((sum, buffer) => sum + buffer.length, 0);
    let { bytesWritten } = await file.writev(group, at);
    if (bytesWritten < wanted) {
      const rest = Buffer.concat(group);
      while (bytesWritten < wanted) {
        const more = await file.write(rest, bytesWritten, wanted - bytesWritten, at + bytesWritten);
        if (more.bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
        bytesWritten += more.bytesWritten;
      }
    }
    at += wanted;
  }
  return at - position;
}

/** Reads exactly the range; throws when the file ends before. */
export async function readRange(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done);
    if (bytesRead === 0) throw Object.assign(new Error('the file ends too early'), { code: 'EIO' });
    done += bytesRead;
  }
  return buffer;
}

export function sha256Of(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The SHA-256 of exactly this range, in constant memory; that of what is there where the file ends before. */
export async function digestOfRange(file: FileHandle, at: number, length: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(length, 1 << 20));
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - done), at + done);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest('hex');
}

/** Whether a file is as it was recorded; closes it. */
export async function isUnchanged(
  file: FileHandle,
  recorded: { readonly bytes: number; readonly sha256: string | null } | null,
): Promise<boolean> {
  try {
    const { size } = await file.stat();
    return size === recorded?.bytes && (await digestOfRange(file, 0, size)) === recorded.sha256;
  } finally {
    await file.close();
  }
}

/** `w` and `w+`: made anew; `r+`: there already. */
const OWN_FLAGS = {
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  'w+': constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  'r+': constants.O_RDWR,
};

/** Opens a file of a running export: its owner's only, whatever the umask, and never through a link in its place. */
export function openOwn(path: string, how: keyof typeof OWN_FLAGS): Promise<FileHandle> {
  // Windows knows no such flag.
  return open(path, OWN_FLAGS[how] | (constants.O_NOFOLLOW ?? 0), 0o600);
}

/** Puts the whole text at the path, or leaves what was there; the file is its owner's only. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  await replaceFile(path, text, (error) => exportFault(error, path, 'write'));
}

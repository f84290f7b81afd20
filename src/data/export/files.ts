import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CopsError, closing, local, orThrow } from '../../base/errors/errors.js';
import { kindOf, NoFile, WHY } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';

/** No export creates links. */
const WORDS: Readonly<Record<string, string>> = { ...WHY, ELOOP: 'it is a link, and exports create no links' };

/** Turns a file error into a local error (exit code 11) that names the path and the next step. */
export function exportFault(error: unknown, path: string, doing: string): CopsError {
  if (error instanceof CopsError) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const why = (code && WORDS[code]) ?? code ?? (error instanceof Error ? error.message : String(error));
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return local(
    `Could not ${doing} ${path}: ${why}.`,
    full ? 'Free some disk space and run the same command again: it continues where it stopped.' : undefined,
    error,
  );
}

/** Runs work on a file; turns a system error into `fileFault`. */
export async function onFile<T>(path: string, doing: string, work: () => Promise<T>): Promise<T> {
  return await orThrow(work, (error) => exportFault(error, path, doing));
}

/** Creates a folder and its parents, accessible to their owner only. */
export async function makeTargetFolder(path: string): Promise<void> {
  await onFile(path, 'create', async () => makeFolder(path));
}

/** A file that the stopped export had written is gone. */
export function changedSince(path: string): CopsError {
  return local(`${path} was changed or removed after the export stopped.`, 'Start over with --restart.');
}

/** Writes every buffer at the position, however little the system accepts per call. Returns the bytes written. */
export async function writeAll(file: FileHandle, buffers: readonly Buffer[], position: number): Promise<number> {
  let at = position;
  // Linux accepts 1,024 buffers per call.
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

/** Reads exactly the range; throws if the file ends before it. */
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

/** The SHA-256 of exactly this range, in constant memory; of the part that exists if the file is shorter. */
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

/** Whether a file is as recorded; closes it. */
export async function isUnchanged(
  file: FileHandle,
  recorded: { readonly bytes: number; readonly sha256: string | null } | null,
): Promise<boolean> {
  return closing(file, async () => {
    const { size } = await file.stat();
    return size === recorded?.bytes && (await digestOfRange(file, 0, size)) === recorded.sha256;
  });
}

/** `w` and `w+`: created or emptied; `r+`: must exist. */
const OWN_FLAGS = {
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  'w+': constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  'r+': constants.O_RDWR,
};

/** Opens a file of a running export: accessible to its owner only, whatever the umask, and never through a link. */
export function openOwn(path: string, how: keyof typeof OWN_FLAGS): Promise<FileHandle> {
  // Windows does not know this flag.
  return open(path, OWN_FLAGS[how] | (constants.O_NOFOLLOW ?? 0), 0o600);
}

/**
 * Opens a file to read it in parts. Never waits for a pipe. @throws NoFile for anything but a file; else the system's
 * error
 */
export async function openExported(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = await file.stat();
  if (facts.isFile()) return file;
  await file.close();
  throw new NoFile(`it ${kindOf(facts)}`);
}

/** Writes the whole text to the path or leaves the existing file unchanged; accessible to its owner only. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  await replaceFile(path, text, (error) => exportFault(error, path, 'write'));
}

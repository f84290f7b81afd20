import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';

/** In bytes; a pipe holds no more at a time. */
const PIECE = 64 * 1024;
/** Windows has no such flag: there, nothing waits for the other end of a pipe. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why a path cannot be read as a file. The message follows a colon: `it is a folder`. */
export class NoFile extends Error {
  override readonly name = 'NoFile';
}

/** How often to check a pipe before concluding that nothing writes into it, and the milliseconds between checks. */
const LOOKS = 50;
const BETWEEN_LOOKS = 20;

/**
 * Reads a file that only this program and its user write (configuration, rules, marks). Never waits for a pipe or
 * device.
 * @returns undefined where the path does not exist
 * @throws NoFile for a folder, a pipe, a device, and a dangling link; else the system's error
 */
export function readOwnFile(path: string, most = Number.POSITIVE_INFINITY): Buffer | undefined {
  const descriptor = openOwnFile(path);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    if (size > most) throw new NoFile(`it is ${size} bytes long`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads such a file that must exist. @throws as `readOwnFile`, and the system's error where it does not exist */
export const readThere = (path: string): Buffer => readOwnFile(path) ?? missing();

/** The text of such a file. @throws as `readThere` */
export const readOwnText = (path: string): string => readThere(path).toString('utf8');

/** Opens such a file to read it in parts; the caller closes it. @throws as `readOwnFile` */
export function openOwnFile(path: string): number | undefined {
  const descriptor = openAtOnce(path);
  if (descriptor === undefined) return undefined;
  const facts = fstatSync(descriptor);
  if (facts.isFile()) return descriptor;
  closeSync(descriptor);
  throw new NoFile(`it ${kindOf(facts)}`);
}

/** Opens such a file that must exist. @throws as `readOwnFile`, and the system's error where it does not exist */
export const openThere = (path: string): number => openOwnFile(path) ?? missing();

function missing(): never {
  throw Object.assign(new Error(WHY.ENOENT), { code: 'ENOENT', syscall: 'open' });
}

/**
 * Reads a file named on the command line: also a pipe, as long as something writes into it (`<(…)` in a shell).
 * @throws NoFile for something that has no end to read to; else the system's error
 */
export async function readGivenFile(path: string): Promise<Buffer> {
  const given = await openGivenFile(path);
  if (typeof given !== 'number') return Buffer.concat(await whole(given));
  try {
    return readFileSync(given);
  } finally {
    closeSync(given);
  }
}

/**
 * Opens a file named on the command line. Returns a file descriptor, or the bytes of a pipe. The writer of a named pipe
 * may connect a moment after us. Our end stays open until then: if we closed it and tried again, the writer could connect
 * in between and lose what it writes.
 * @throws as `readGivenFile`
 */
export async function openGivenFile(path: string): Promise<number | AsyncIterable<Buffer>> {
  const descriptor = openAtOnce(path) ?? missing();
  try {
    const facts = fstatSync(descriptor);
    if (facts.isFile()) return descriptor;
    if (!facts.isFIFO()) throw new NoFile(`it ${kindOf(facts)}`);
    for (let look = 1; look <= LOOKS; look++) {
      const first = firstPiece(descriptor);
      if (first?.length !== 0) return piecesOf(descriptor, first);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
    }
    throw new NoFile('it is a pipe that nothing writes into');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openAtOnce(path: string): number | undefined {
  try {
    return openSync(path, AT_ONCE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A socket, or a device with nothing behind it.
    if (code === 'ENXIO') throw new NoFile('it is not a file');
    if (code !== 'ENOENT') throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new NoFile('it is a link to nothing');
    return undefined;
  }
}

/** Describes something that is not a file: `is a folder`. */
export function kindOf(facts: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (facts.isDirectory()) return 'is a folder';
  if (facts.isFIFO()) return 'is a pipe';
  return facts.isSocket() ? 'is a socket' : 'is a device';
}

/** What a pipe holds so far: empty where nothing has it open to write, undefined where a writer is silent. */
function firstPiece(descriptor: number): Buffer | undefined {
  const piece = Buffer.alloc(PIECE);
  try {
    return piece.subarray(0, readSync(descriptor, piece, 0, PIECE, null));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Reads a pipe to its end through the event loop, so that Ctrl-C still works. The stream owns the descriptor. */
async function* piecesOf(descriptor: number, first: Buffer | undefined): AsyncGenerator<Buffer> {
  const { Socket } = await import('node:net');
  const rest = new Socket({ fd: descriptor, readable: true, writable: false });
  if (first !== undefined) yield first;
  for await (const piece of rest) yield piece as Buffer;
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** For a `catch`: undefined where there is no such file or folder; rethrows any other error. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Why a file operation failed, in words, by system error code. */
export const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  EIO: 'the disk reported an error',
  ELOOP: 'its symbolic links go round in circles',
  ENAMETOOLONG: 'the path is too long',
  ERR_INVALID_ARG_VALUE: 'its name contains an invalid character',
  EFBIG: 'the file would be too large',
};

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';

/** Bytes; a pipe holds no more at once. */
const PIECE = 64 * 1024;
/** Windows knows no such flag: nothing there waits for the other end of a pipe. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why something that bears the name of a file is not read. Its message follows the name: `is a folder`. */
export class NoFile extends Error {
  override readonly name = 'NoFile';
}

/**
 * Reads a file that only this program and its user write (configuration, rules, marks): never waits for a pipe or a device.
 * @returns undefined where nothing bears the name
 * @throws NoFile for a folder, a pipe, a device, and a link that leads to nothing; else the system's error
 */
export function readOwnFile(path: string, most = Number.POSITIVE_INFINITY): Buffer | undefined {
  const descriptor = openAtOnce(path);
  if (descriptor === undefined) return undefined;
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) throw new NoFile(kindOf(facts));
    if (facts.size > most) throw new NoFile(`is ${facts.size} bytes long`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file that a line names: a pipe too, as long as something writes into it (`<(…)` of a shell).
 * @throws NoFile for what cannot be read to an end; else the system's error
 */
export async function readGivenFile(path: string): Promise<Buffer> {
  const descriptor = openAtOnce(path);
  if (descriptor === undefined) throw Object.assign(new Error('no such file or directory'), { code: 'ENOENT' });
  let isHandedOn = false;
  try {
    const facts = fstatSync(descriptor);
    if (facts.isFile()) return readFileSync(descriptor);
    if (!facts.isFIFO()) throw new NoFile(kindOf(facts));
    const first = firstPiece(descriptor);
    if (first?.length === 0) throw new NoFile('is a pipe that nothing writes into');
    isHandedOn = true;
    return await readPipe(descriptor, first);
  } finally {
    if (!isHandedOn) closeSync(descriptor);
  }
}

function openAtOnce(path: string): number | undefined {
  try {
    return openSync(path, AT_ONCE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A socket, or a device without anything behind it.
    if (code === 'ENXIO') throw new NoFile('is no file');
    if (code !== 'ENOENT') throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new NoFile('is a link that leads to nothing');
    return undefined;
  }
}

/** What something is that is no file: `is a folder`. */
export function kindOf(facts: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (facts.isDirectory()) return 'is a folder';
  if (facts.isFIFO()) return 'is a pipe';
  return facts.isSocket() ? 'is a socket' : 'is a device';
}

/** What a pipe holds by now; nothing where no end of it is open to write, undefined where it is open and silent. */
function firstPiece(descriptor: number): Buffer | undefined {
  const piece = Buffer.alloc(PIECE);
  try {
    return piece.subarray(0, readSync(descriptor, piece, 0, PIECE, null));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** The rest of a pipe through the event loop, so that Ctrl-C is heard meanwhile; the descriptor is the stream's. */
async function readPipe(descriptor: number, first: Buffer | undefined): Promise<Buffer> {
  const pieces = first === undefined ? [] : [first];
  for await (const piece of new Socket({ fd: descriptor, readable: true, writable: false }))
    pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

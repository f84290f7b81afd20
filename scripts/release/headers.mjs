// Reads the headers of an executable, for platforms on which a release cannot run it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const WANTED = {
  'linux-x64': { format: 'ELF', processor: 62 },
  'linux-arm64': { format: 'ELF', processor: 183 },
  'win-x64': { format: 'PE', processor: 0x8664 },
  'macos-arm64': { format: 'Mach-O', processor: 0x0100000c },
  'macos-x64': { format: 'Mach-O', processor: 0x01000007 },
};

/** @throws when a file is not an executable of the platform: a wrong package, or a build that damaged it. */
export function checkExecutable(platform, file) {
  const found = headerOf(file);
  const wanted = WANTED[platform];
  if (found.format === wanted.format && found.processor === wanted.processor) return;
  throw new Error(`${file} is ${found.format} for processor ${found.processor}, not for ${platform}`);
}

/**
 * Whether an executable says that it is signed. Adding a program to a signed one invalidates the signature, which
 * Windows reports as damage: there the signature is removed. On a Mac, `codesign --force` signs it again.
 * @returns `none`, `stale` or `emptied`
 */
export function signatureSlot(file) {
  const handle = openSync(file, 'r+');
  try {
    const bytes = startOf(handle);
    const { format } = formatOf(bytes);
    if (format === 'Mach-O') return macSigned(bytes) ? 'stale' : 'none';
    const at = format === 'PE' ? bytes.readUInt32LE(0x3c) + PE_SIGNATURE : 0;
    if (at === 0 || bytes.readBigUInt64LE(at) === 0n) return 'none';
    writeSync(handle, Buffer.alloc(8), 0, 8, at);
    return 'emptied';
  } finally {
    closeSync(handle);
  }
}

/** Offset in a 64-bit PE header of the entry that locates the signature in the file. */
const PE_SIGNATURE = 24 + 112 + 4 * 8;
const MACH_SIGNATURE = 0x1d;

function macSigned(bytes) {
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0 && at + 8 <= bytes.length; left--) {
    if (bytes.readUInt32LE(at) === MACH_SIGNATURE) return true;
    at += bytes.readUInt32LE(at + 4);
  }
  return false;
}

/** Format and processor number of a 64-bit executable, from its header. */
export function headerOf(file) {
  const handle = openSync(file, 'r');
  try {
    return formatOf(startOf(handle));
  } finally {
    closeSync(handle);
  }
}

/** Everything before the code: the load commands of a Mac's header take a few kilobytes. */
function startOf(handle) {
  const bytes = Buffer.alloc(65_536);
  return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0));
}

function formatOf(bytes) {
  const { length } = bytes;
  if (length < 64) return { format: 'nothing', processor: 0 };
  if (bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2) {
    return { format: 'ELF', processor: bytes.readUInt16LE(18) };
  }
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return { format: 'Mach-O', processor: bytes.readUInt32LE(4) };
  const at = bytes.readUInt32LE(0x3c);
  if (bytes.toString('latin1', 0, 2) === 'MZ' && at + 6 <= length && bytes.toString('latin1', at, at + 2) === 'PE') {
    return { format: 'PE', processor: bytes.readUInt16LE(at + 4) };
  }
  return { format: 'nothing', processor: 0 };
}

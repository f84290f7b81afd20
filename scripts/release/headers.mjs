// What the first bytes of an executable say, for platforms on which a release cannot try it.
import { closeSync, openSync, readSync } from 'node:fs';

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

/** Format and processor number of a 64-bit executable, from its header. */
export function headerOf(file) {
  const bytes = Buffer.alloc(4096);
  const handle = openSync(file, 'r');
  const length = readSync(handle, bytes, 0, bytes.length, 0);
  closeSync(handle);
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

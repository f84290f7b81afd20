import * as crypto from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Unguessable bytes, from the system's own device where there is one: loading Node's cryptography takes a fifth of a
 * start.
 */
export function randomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return process.platform !== 'win32' && isFilled(bytes) ? bytes : crypto.randomBytes(count);
}

/** A random UUID (version 4). */
export function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function isFilled(bytes: Buffer): boolean {
  let device: number | undefined;
  try {
    device = openSync('/dev/urandom', 'r');
    return fstatSync(device).isCharacterDevice() && readSync(device, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    if (device !== undefined) closeSync(device);
  }
}

import { crc32 } from 'node:zlib';
import { orElse } from '../../base/errors/errors.js';
import { recordText } from '../../items/secrets/redact.js';
import type { JournalHeader, JournalLine } from './journal-lines.js';

/** The start of every checksum of one run: a line of another run's journal never fits. */
export function seedOf(header: Pick<JournalHeader, 'id'>): number {
  return crc32(header.id);
}

/** A journal line with its number and checksum at its end. The header's seed is 0, since its id is in it. */
export function sealed(line: JournalLine, number: number, seed: number): string {
  // A run resumes by its header, so a card number in it is refused rather than masked.
  const record = line.type === 'header' ? JSON.stringify(line) : recordText(line);
  const text = `${record.slice(0, -1)},"n":${number}`;
  return `${text},"crc":"${hex(crc32(text, seed))}"}`;
}

const SEAL = /,"n":(\d{1,15}),"crc":"([0-9a-f]{8})"\}$/;

/**
 * The content of a line; undefined if the text is not a line at all. `number`: its number, from 1 for the header;
 * undefined for a line without a seal (version 1). `holds`: false if the checksum does not match the line.
 */
export function opened(text: string, seed: number) {
  const line = parsed(text);
  if (!line) return undefined;
  const seal = SEAL.exec(text);
  const { n: _number, crc: _crc, ...own } = line as JournalLine & { n?: unknown; crc?: unknown };
  if (!seal) return { line: own as JournalLine, holds: !('crc' in line) };
  const covered = `${text.slice(0, seal.index)},"n":${seal[1]}`;
  const holds = hex(crc32(covered, own.type === 'header' ? 0 : seed)) === seal[2];
  return { line: own as JournalLine, number: Number(seal[1]), holds };
}

function parsed(text: string): JournalLine | undefined {
  return orElse(() => {
    const line = JSON.parse(text) as Partial<JournalLine> | null;
    return typeof line?.type === 'string' ? (line as JournalLine) : undefined;
  }, undefined);
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

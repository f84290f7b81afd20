import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { local, orElse } from '../../base/errors/errors.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Operation } from '../../catalogue/types.js';
import { LARGEST_DESCRIPTION } from './document.js';
import { type PulledFacts, pathWithoutNames } from './types.js';

/** The two files of a profile: the description as received, and the facts that every run needs. */
export function descriptionFiles(configDir: string, profile: string): { document: string; facts: string } {
  const name = encodeURIComponent(profile);
  const folder = join(configDir, 'openapi');
  return { document: join(folder, `${name}.json`), facts: join(folder, `${name}.facts.json`) };
}

/**
 * The facts from the description pulled for a profile; undefined when there is none, or when it came from another base
 * URL. A damaged file counts as none: it would only have saved a question.
 */
export function readFacts(configDir: string, profile: string, baseUrl: string | undefined): PulledFacts | undefined {
  const path = descriptionFiles(configDir, profile).facts;
  if (!existsSync(path)) return undefined;
  return orElse(() => {
    const text = readOwnFile(path, LARGEST_DESCRIPTION)?.toString('utf8');
    if (text === undefined) return undefined;
    const facts = JSON.parse(text) as PulledFacts;
    if (facts.format !== 1 || typeof facts.dates !== 'object' || !Array.isArray(facts.unknown)) return undefined;
    return baseUrl === undefined || sameAddress(facts.base_url, baseUrl) ? facts : undefined;
  }, undefined);
}

/**
 * The description of a profile as text, or undefined.
 * @throws CopsError `local` when it exists but cannot be read
 */
export function readDocument(configDir: string, profile: string): string | undefined {
  const path = descriptionFiles(configDir, profile).document;
  try {
    return readOwnFile(path)?.toString('utf8');
  } catch (error) {
    const why = (error as Error).message;
    throw local(`The description in ${path} cannot be read: ${why}.`, say`Pull it again: ${cops`openapi pull`}`, error);
  }
}

function sameAddress(one: string, other: string): boolean {
  const plain = (text: string): string => text.trim().replace(/\/+$/, '').toLowerCase();
  return plain(one) === plain(other);
}

/** Longest window, in days, where only the description says that a list takes dates (service.md#limits). */
const SPAN_DAYS = 90;

/**
 * The operation with its list settled by the pulled description: with dates or without (command-line.md#lists). An
 * operation that the description does not cover stays as it is.
 */
export function settleDates(operation: Operation, facts: PulledFacts): Operation {
  const { list } = operation;
  if (!list || list.style === 'search') return operation;
  const path = pathWithoutNames(operation.path);
  const dated = Object.hasOwn(facts.dates, path) ? facts.dates[path] : undefined;
  if (dated === undefined) return operation;
  const { datesUnproven: isUnproven, ...proven } = list;
  if (dated === (list.style === 'windowed')) return isUnproven && dated ? { ...operation, list: proven } : operation;
  const { spanDays = SPAN_DAYS, ...rest } = proven;
  return { ...operation, list: dated ? { ...rest, style: 'windowed', spanDays } : { ...rest, style: 'paged' } };
}

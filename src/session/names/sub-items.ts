import { usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { asMeant } from '../../items/text/typed-value.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Candidate } from './candidates.js';
import { labelOf } from './natural-keys.js';
import type { ListAsker } from './people.js';
import type { Named } from './resolve-name.js';

/** What people call items below another: a card by its last four digits, an image by its address. */
const NAMES = ['last_4', 'name', 'title', 'file_name', 'url', 'image_url', 'internal_id'] as const;

/** True for a word that may name a card: `4242`, `****4242`, `visa 4242`. */
const CARD = /^(?:[*x\u2022. -]*|[a-z ]+)(\d{4})$/i;

/**
 * The list of the items that a path's last id means: for `/customers/{id}/payment_methods/{id}/delete` the list at
 * `/customers/{id}/payment_methods`. Undefined if there is none.
 */
export function listAbove(family: Family, operation: Operation): Operation | undefined {
  const end = operation.path.lastIndexOf('/{');
  const above = operation.path.slice(0, end);
  if (end < 0 || !above.includes('{')) return undefined;
  return family.operations.find(({ path, list, method }) => method === 'GET' && list !== undefined && path === above);
}

/**
 * The one item of a list below another item that a word names.
 *
 * @param above ids of the list's own path
 * @throws CopsError `usage` (2) when it means none or several, with what there is
 */
export async function resolveBelow(
  family: Family,
  list: Operation,
  above: readonly string[],
  word: string,
  asker: ListAsker,
): Promise<Named> {
  const report = newReport();
  const plan = wholePlan(list.list, undefined, 2);
  const base = planRequest(family, list, { ids: above, query: [] });
  const all: { readonly candidate: Candidate; readonly fits: boolean }[] = [];
  for await (const page of readList(plan, pager(asker, base, 'id'), report)) {
    for (const { raw } of page.items) {
      const item = parseLossless(raw);
      const id = plain(get(item, 'id'));
      if (id !== undefined) all.push({ candidate: { id, label: cardOrLabel(item) }, fits: fits(item, word) });
    }
  }
  const what = `${family.name.replaceAll('_', '-')} ${list.action}`;
  if (report.unproven.length > 0)
    throw usage(`Something else may also be called "${word}": ${report.unproven.join(' ')}`, 'Give its id.');
  const found = all.filter((one) => one.fits).map(({ candidate }) => candidate);
  const [only] = found;
  if (!only || found.length > 1) {
    const shown = (found.length > 1 ? found : all.map(({ candidate }) => candidate)).slice(0, 10);
    const listed = shown.map(({ id, label }) => (label === '' ? id : `${id} (${label})`)).join('; ');
    throw usage(
      `"${word}" means ${found.length === 0 ? 'nothing' : `${found.length} items`} of ${what}: nothing was sent.`,
      listed === '' ? say`There is nothing: ${cops`${what} ${above}`}` : `There are: ${listed}.`,
    );
  }
  return { ...only, typed: word, family: family.name };
}

function fits(item: Lossless, word: string): boolean {
  const digits = CARD.exec(asMeant(word))?.[1];
  if (digits !== undefined && plain(get(item, 'last_4')) === digits) return true;
  return NAMES.some((name) => [word.trim(), asMeant(word)].includes(plain(get(item, name)) ?? ''));
}

function cardOrLabel(item: Lossless): string {
  const card = ['type', 'last_4', 'expiry_date'].map((name) => plain(get(item, name)) ?? '').filter(Boolean);
  return plain(get(item, 'last_4')) === undefined ? labelOf(item) : card.join(' ');
}

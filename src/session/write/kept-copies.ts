import { CopsError } from '../../base/errors/errors.js';
import { cops, joinedTexts, placeholder, say } from '../../base/text/command-line.js';
import { copiedBy, loadFamily } from '../../catalogue/index.js';
import { relationsOf } from '../../catalogue/relations.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Family } from '../../catalogue/types.js';
import { parseLossless } from '../../items/json/lossless.js';
import { followRelation } from '../../items/select/follow.js';
import type { Context } from '../context/context.js';
import { Look } from '../lookup/ask.js';
import { readNamed } from '../lookup/one.js';
import { commandOf, textAt } from '../lookup/sheet.js';
import type { Reader } from '../read/reading.js';
import type { PreparedWrite, Seen } from './prepared-write.js';

/** A changed field, by the name that copies also use. */
export interface ChangedName {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Says how many items still have the old value after an edit, and the line that changes them too. */
export async function tellCopies(
  context: Context,
  { family, ids: [id = ''] }: PreparedWrite,
  reader: Reader,
  before: Seen['item'],
  edit: Pick<Edited, 'changed' | 'kept'>,
): Promise<void> {
  if (before === undefined) {
    const lines = copiedBy(family.name).map((name) => cops`${commandOf(name)} list --customer ${id}`);
    context.notes.warn(say`Copies of the old value were not looked for. To find them: ${joinedTexts(lines, '; ')}`);
    return;
  }
  const look = new Look({ asker: reader, now: Math.floor((await context.now()) / 1000) });
  for (const name of copiedBy(family.name)) {
    const holder = await loadFamily(name);
    try {
      await tellFamily(context, look, holder, { source: family.name, id, ...edit, email: before('email') ?? '' });
    } catch (error) {
      // The edit is done: only the check for copies failed.
      if (!(error instanceof CopsError)) throw error;
      context.notes.warn(`Whether ${commandOf(name)} keep the old value is unknown: ${error.message}`);
    }
  }
}

interface Edited {
  readonly source: string;
  readonly id: string;
  readonly changed: readonly ChangedName[];
  /** Names that belong to a changed one and stay: the state beside a new city. */
  readonly kept: readonly string[];
  /** Before the edit. */
  readonly email: string;
}

/** The parts of an address that contain the others, largest first. */
const WIDE = ['country', 'state'];

async function tellFamily(context: Context, look: Look, holder: Family, edited: Edited): Promise<void> {
  const { source, id, changed, kept } = edited;
  const [place, field] = Object.entries(holder.item ?? {}).find(([, { copies }]) => copies === source) ?? [
    '',
    undefined,
  ];
  const copied = changed.filter(({ name }) => field?.fields && Object.hasOwn(field.fields, name));
  const relation = relationsOf(holder).find(({ to, by }) => to === source && by.kind === 'field');
  if (copied.length === 0 || !relation) return;
  const { items, isCut } = await itemsOf(look, holder, edited);
  const stale = items.filter(({ item, raw }) => {
    const link = followRelation(item, relation);
    const isOwn = link.state === 'known' && link.ids.includes(id);
    const isOld = copied.some(({ name, from }) => textAt(item, `${place}.${name}`) === from);
    return isOwn && isOld && waits(holder, raw);
  });
  const command = commandOf(holder.name);
  const rest = say`${cops`${command} list --customer ${id}`} shows all of them.`;
  if (stale.length === 0 && !isCut) return;
  if (stale.length === 0) {
    context.notes.warn(say`Not all ${command} were checked; each keeps a copy of the ${place}. ${rest}`);
    return;
  }
  const of = stale.map(({ item }) => textAt(item, 'id'));
  const data = copied.flatMap(({ name, to }) => ['-d', `${place}.${name}=${to}`]);
  const old = copied.map(({ name, from }) => `${name} ${from || '(empty)'}`).join(', ');
  const beside = kept.flatMap((name) => {
    const value = stale.map(({ item }) => textAt(item, `${place}.${name}`)).find((one) => one !== '');
    return value === undefined ? [] : { name, says: `${name} ${value}` };
  });
  const also = beside.length === 0 ? '' : `; ${beside.map(({ says }) => says).join(', ')} would stay`;
  // In another country or state, the smaller parts of the old address are wrong.
  const names = copied.map(({ name }) => name);
  const widest = WIDE.findIndex((name) => names.includes(name));
  const within = beside.filter(({ name }) => widest >= 0 && !WIDE.slice(0, widest).includes(name));
  const parts = within.flatMap(({ name }) => ['-d', placeholder(`${place}.${name}=<${name}>`)]);
  const count = `${isCut ? 'at least ' : ''}${of.length} of ${command}`;
  const lead = say`Not changed: ${count} that still ${of.length === 1 ? 'has' : 'have'} the old ${place} (${old}${also}). To change those too: ${cops`${command} edit ${of} ${data}`.and(...parts)}`;
  context.notes.warn(isCut ? say`${lead}; ${rest}` : lead, {});
}

/** Whether an item is still to be sent or charged: an ended one keeps its values. */
function waits(holder: Family, raw: string): boolean {
  const status = textAt(parseLossless(raw), 'status');
  if (holder.open) return holder.open.includes(status);
  const edit = holder.operations.find(({ action }) => action === 'edit');
  return !(edit?.notWhile ?? []).includes(status);
}

/** A customer's items in a family: by its list if that filters, otherwise by its search for the previous address. */
async function itemsOf(look: Look, holder: Family, { source, id, email }: Edited) {
  const list = holder.operations.find(({ action }) => action === 'list');
  const line = cops`${commandOf(holder.name)} list --customer ${id}`;
  if (Object.hasOwn(list?.query ?? {}, 'customer_id')) {
    const found = await look.ofCustomer(holder.name, id);
    const items = found.items.map((raw) => ({ raw, item: parseLossless(raw) }));
    return { items, isCut: (found.total ?? items.length) > items.length };
  }
  const now = textAt(parseLossless(await look.item(source, id)), 'email');
  const terms = [...new Set([now, email])].filter((term) => term !== '');
  const hits = await Promise.all(
    terms.map((term) => look.read(holder.name, line, () => look.search(holder.name, term))),
  );
  const ids = [...new Set(hits.flatMap(({ items }) => items.map((raw) => textAt(parseLossless(raw), 'id'))))];
  const items = await readNamed(
    look,
    ids.map((one) => ({ family: holder.name, id: one })),
  );
  const isCut = hits.some((found) => found.isCut || (found.total ?? found.items.length) >= MOST_HITS);
  return { items, isCut: isCut || items.length < ids.length };
}

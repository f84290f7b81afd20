import { unless } from '../../base/errors/errors.js';
import { type CommandLine, cops, say, type Text } from '../../base/text/command-line.js';
import { allFamilies, FAMILY_INDEX, loadFamily, pathParameters } from '../../catalogue/index.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Column, Family } from '../../catalogue/types.js';
import { looksLikeId, parameterFault } from '../../catalogue/value-formats.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { hideCards } from '../../items/secrets/redact.js';
import { asMeant, cardIn } from '../../items/text/typed-value.js';
import { isCalled, namePaths } from '../names/natural-keys.js';
import { ownerOf } from '../names/people.js';
import { type Found, type Look, MOST_REQUESTS } from './ask.js';
import {
  isSpelledPhone,
  LAST_FOUR,
  type LookFurther,
  mayMeanPeople,
  peopleMeant,
  requestsKept,
} from './find-people.js';
import { FOR_HITS, nearestFirst, textsIn } from './nearest-hits.js';
import { readNamed } from './one.js';
import { columnsOf, commandOf, newestFirst, type Section, type Sheet, textAt } from './sheet.js';
import { readHits } from './to-collect.js';

/** Families by how often people hold their ids: these are asked, the rest only named. */
const BY_ID = `customers sales subscriptions subscription_renewals transactions product_sales products trials shipping
    salvage_transactions pending_refunds api_calls`.split(/\s+/);
/** Families to search for a word, most used first. */
const BY_WORD = `customers sales subscriptions transactions trials shipping pending_refunds wallet_transactions
    fraud_detections chargebacks customer_cards products`.split(/\s+/);
/** Families asked for a word that may be the name of a person or of set-up. */
const BY_NAME = `customers products customer_groups coupons campaigns subscription_profiles sales subscriptions
    transactions shipping trials chargebacks`.split(/\s+/);
/** Families asked for a word that contains digits: the number of an order, a case, a parcel, a coupon. */
const BY_NUMBER =
  `customers sales transactions shipping chargebacks coupons subscriptions products campaigns trials`.split(/\s+/);
/** An id of another system: no person and no set-up has such a name. */
const FOREIGN_ID = /^(?=.*\d)\S{13,}$/;
/** A shorter part of an id may occur in one by chance. */
const CHANCE = 8;
/** Searches that cover the customer's e-mail address. */
const BY_EMAIL = BY_WORD.filter((name) => !['transactions', 'customer_cards', 'products'].includes(name));
/** Searches that cover digits: last four, ids of gateways and wallets, numbers of orders and cases. */
const BY_DIGITS = `transactions customer_cards sales customers wallet_transactions chargebacks shipping pending_refunds
    subscriptions fraud_detections trials products`.split(/\s+/);

const HIT = columnsOf('id', 'first_name', 'last_name', 'email', 'name', 'created_date_unix');

/** For these digits, asks the families above that hold cards, and spends the remaining requests on their owners. */
const BY_LAST_FOUR = ['transactions', 'customer_cards', 'sales', 'customers', 'wallet_transactions', 'chargebacks'];
const MOST_HOLDERS = 6;

export interface FindOptions {
  /** Families to search, by path name; undefined for the sensible ones. */
  readonly families?: readonly string[] | undefined;
  /** The family in which this machine has seen the id. */
  readonly seen?: string | undefined;
  /** Searches every family that has a search. */
  readonly all: boolean;
  /** Looks for people whom no search finds. */
  readonly further?: LookFurther | undefined;
}

/** What a word is: an id of any family, an e-mail address, a name, a number. All searches go out at once. */
export async function findSheet(look: Look, word: string, options: FindOptions): Promise<Sheet> {
  const term = asMeant(word);
  const code = /^E\d{3,5}$/i.test(term) ? term.toUpperCase() : undefined;
  const byId = looksLikeId(term);
  const { asked, later } = await familiesFor(term, byId, options);
  const chances: Chance[] = [];
  const askIn = (family: Family) =>
    lookIn(look, family, term, byId).then((answer) => withoutChance(answer, term, chances));
  const answers = await Promise.all(asked.map(askIn));
  const askAlso = async (names: readonly string[]): Promise<void> => {
    const families = await Promise.all(names.map(loadFamily));
    asked.push(...families);
    answers.push(...(await Promise.all(families.map(askIn))));
  };
  // There is nobody to look for, so the requests kept for people go to the other families.
  if (later.length > 0 && !onlyPerson(answers) && (chances.length > 0 || answers.some(({ items }) => items.length > 0)))
    await askAlso(later.slice(0, look.left));
  // It no longer exists, or the remembered family is wrong.
  if (byId && options.seen && !options.families && !options.all && answers.every(({ items }) => items.length === 0))
    await askAlso(BY_ID.filter((name) => name !== options.seen).slice(0, MOST_REQUESTS - 1));
  const faults = look.notRead.flatMap(({ fault }) => fault ?? []);
  const isNone = answers.every(({ items }) => items.length === 0);
  if (faults[0] && isNone && faults.length >= asked.length) throw faults[0];
  const { further } = options;
  const asksPeople = asked.some(({ name }) => name === 'customers') && mayMeanPeople(term);
  const people = isNone && further && asksPeople ? await peopleMeant(look, term, further) : undefined;
  if (people) answers[answers.findIndex(({ word }) => word === 'customers')] = people.section;
  const person = options.families ? undefined : onlyPerson(answers);
  const own = person ? await ofPerson(look, person, asked) : [];
  const cards = answers.find(({ word }) => word === 'customer_cards');
  // For such digits, the question is who has the card.
  if (cards && LAST_FOUR.test(term)) answers.unshift(await cardholders(look, term, cards));
  const { sections: hits, labels, orders } = await nearestFirst(look, term, answers);
  const sections = [...hits, ...own, ...(people?.near ? [people.near] : [])];
  const found = hits.reduce((sum, { items }) => sum + items.length, 0);
  if (!options.families && !options.all) skipRest(look, term, asked);
  return {
    heading: [
      `${JSON.stringify(hideCards(term))}: ${found === 0 ? 'nothing found' : `${found}${hits.some(({ isCut }) => isCut) ? ' or more' : ''} found`}; searched ${asked.map(({ name }) => commandOf(name)).join(', ')}`,
      ...(people ? [people.says] : []),
      ...labels,
      ...(person && own.length > 0 ? [`What belongs to ${textAt(person, 'email')} is shown with it.`] : []),
      ...(code ? [say`${code} is an error code: ${cops`explain ${code}`}`] : []),
      ...chances.map(
        ({ ids, command }) =>
          say`Left out: ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}, of which only the random id holds ${JSON.stringify(hideCards(term))}; ${command} shows ${ids.length === 1 ? 'it' : 'them'}.`,
      ),
    ],
    facts: [
      ['looked_for', JSON.stringify(hideCards(term))],
      ['looked_in', JSON.stringify(asked.map(({ name }) => name))],
      ...(chances.length > 0
        ? [['left_out_by_chance', JSON.stringify(chances.flatMap(({ ids }) => ids))] as const]
        : []),
    ],
    sections: [...sections, ...answers.filter(({ items, since }) => items.length === 0 && since !== undefined)],
    notRead: look.notRead,
    next: [
      ...(code ? [cops`explain ${code}`] : []),
      ...(await ownerFound(look, term, asked, hits)),
      ...orders,
      ...nextOf(sections),
    ],
  };
}

/** What people call about, most frequent first. */
const OF_PERSON = ['subscriptions', 'sales', 'trials', 'shipping'];

/** The customer, if it is the only hit and its address leads to what belongs to it. */
function onlyPerson(answers: readonly Section[]): Lossless | undefined {
  const [only, ...others] = answers.filter(({ items }) => items.length > 0);
  const [raw, ...more] = only?.word === 'customers' && others.length === 0 ? only.items : [];
  const person = raw !== undefined && more.length === 0 ? parseLossless(raw) : undefined;
  return person && textAt(person, 'email') ? person : undefined;
}

/** What belongs to the person found, looked up by e-mail address while requests are left. Subscriptions are read in full. */
async function ofPerson(look: Look, person: Lossless, asked: Family[]): Promise<Section[]> {
  const room = Math.max(0, look.left);
  const line = cops`customers show ${textAt(person, 'id')}`;
  if (room < OF_PERSON.length) look.skip(OF_PERSON.slice(room).map(commandOf).join(', '), 'no request was left', line);
  const families = await Promise.all(OF_PERSON.slice(0, room).map(loadFamily));
  asked.push(...families.filter(({ name }) => asked.every((one) => one.name !== name)));
  const email = textAt(person, 'email');
  const [subscriptions, ...rest] = await Promise.all(families.map((family) => lookIn(look, family, email, false)));
  const whole = subscriptions && (await readHits(look, 'subscriptions', { ...subscriptions, isWhole: true }));
  const columns = whole?.isWhole ? families[0]?.columns : undefined;
  const found = subscriptions && whole ? [{ ...subscriptions, items: whole.items, ...(columns && { columns }) }] : [];
  return [...found, ...rest].filter(({ items }) => items.length > 0);
}

/** Hits of one search that contain the word only in an id. */
interface Chance {
  readonly ids: readonly string[];
  readonly command: Text;
}

/** A search without the hits that contain the word only in ids, which are random; these are listed separately. */
function withoutChance(answer: Section, term: string, chances: Chance[]): Section {
  if (term.length >= CHANCE) return answer;
  const isChance = (raw: string): boolean => {
    const holding = textsIn(parseLossless(raw)).filter((text) => text.toLowerCase().includes(term.toLowerCase()));
    return holding.length > 0 && holding.every(looksLikeId);
  };
  const found = answer.items.filter((raw) => !isChance(raw));
  const ids = answer.items.filter(isChance).map((raw) => textAt(parseLossless(raw), 'id'));
  if (ids.length === 0) return answer;
  chances.push({ ids, command: answer.command });
  return { ...answer, items: found, total: answer.total === undefined ? undefined : answer.total - ids.length };
}

/** The owners of the cards found: a hit of a card shows neither name nor digits. */
async function cardholders(look: Look, term: string, cards: Section): Promise<Section> {
  const ids = [...new Set(cards.items.map((raw) => textAt(parseLossless(raw), 'customer_id')))];
  const wanted = ids.filter((id) => id !== '').map((id) => ({ family: 'customers', id }));
  const people = await readNamed(look, wanted, look.isWhole ? wanted.length : MOST_HOLDERS);
  return {
    word: 'cardholders',
    family: 'customers',
    columns: HIT.filter(({ path }) => path !== 'name'),
    items: people.map(({ raw }) => raw),
    total: wanted.length,
    isCut: cards.isCut,
    command: peopleOf(term),
  };
}

/** Cards name their customer only by id: reads each customer for name and e-mail address, even those who never paid. */
const peopleOf = (digits: string): Text =>
  say`${cops`customer-cards list --all-time --where last_4=${digits} --query '[].customer_id' -o jsonl`} | ${cops`customers get -`}`;

/** The families to ask at once, and those to ask too if something is found. */
async function familiesFor(
  term: string,
  byId: boolean,
  options: FindOptions,
): Promise<{ readonly asked: Family[]; readonly later: readonly string[] }> {
  const only = async (names: readonly string[]) => ({ asked: await Promise.all(names.map(loadFamily)), later: [] });
  if (options.families) return only(options.families);
  if (!options.all && (isSpelledPhone(term) || cardIn(term))) return only(['customers']);
  if (options.all) {
    const all = await allFamilies();
    return { asked: all.filter((family) => (byId ? isReadBy(family, term) : askable(family))), later: [] };
  }
  const digits = LAST_FOUR.test(term) ? BY_LAST_FOUR : BY_DIGITS;
  const usual = byId
    ? BY_ID
    : term.includes('@')
      ? BY_EMAIL
      : /^\d+$/.test(term)
        ? digits
        : FOREIGN_ID.test(term)
          ? BY_WORD
          : /^\S*\d\S*$/.test(term)
            ? BY_NUMBER
            : BY_NAME;
  // Asks only the family in which this machine saw the id: an id belongs to one family.
  const names = byId && options.seen ? [options.seen] : usual;
  // If the words may name a person, reserves some requests for people whom no search finds.
  const kept = byId ? 0 : Math.max(requestsKept(term), /^\d+$/.test(term) && !LAST_FOUR.test(term) ? FOR_HITS + 1 : 0);
  const most = MOST_REQUESTS - kept;
  const asked = await Promise.all(names.slice(0, most).map(loadFamily));
  return { asked, later: byId || /\d/.test(term.replace(/\S*@\S*/, '')) ? [] : names.slice(most, MOST_REQUESTS) };
}

/** Whether a family's items can be read by such an id; a key of letters cannot. */
const isReadBy = (family: Family, id: string): boolean =>
  family.operations.some((operation) => {
    const [name, ...others] = pathParameters(operation);
    if (operation.action !== 'get' || name === undefined || others.length > 0) return false;
    return parameterFault(operation.params?.[name] ?? 'id', id) === undefined;
  });

const askable = (family: Family): boolean =>
  family.operations.some(({ action }) => action === 'search' || (action === 'list' && family.nature === 'set-up'));

async function lookIn(look: Look, family: Family, term: string, byId: boolean): Promise<Section> {
  const command = commandOf(family.name);
  const searches = family.operations.some(({ action }) => action === 'search');
  const how = byId ? ['get', term] : searches ? ['search', hideCards(term)] : ['list'];
  const found = await look.read(command, cops`${command} ${how}`, () => ask(look, family, term, byId, searches));
  const isCut = !byId && searches && found.items.length >= MOST_HITS && found.isWhole !== true;
  if (isCut)
    look.skip(
      `more of ${command}`,
      `a search shows at most ${MOST_HITS}`,
      ...(LAST_FOUR.test(term) && family.name === 'customer_cards' ? [peopleOf(term)] : []),
      cops`${command} list --all-time --where ${whereOf(family, hideCards(term))}`,
    );
  return {
    word: family.name,
    columns: byId || !searches ? family.columns : hitColumns(family, found),
    items: byId || family.nature === 'set-up' ? found.items : newestFirst(found.items),
    total: isCut ? undefined : found.total,
    isCut,
    since: found.since,
    command: cops`${command} ${how}`,
  };
}

/** The list condition that shows what a search cuts off. */
function whereOf({ name }: Family, term: string): string {
  if (LAST_FOUR.test(term) && name === 'customer_cards') return `last_4=${term}`;
  if (LAST_FOUR.test(term) && name === 'transactions') return `customer_card.last_4=${term}`;
  const of = name === 'customers' ? '' : 'customer.';
  const said = term.replaceAll(/['"]/g, '');
  if (term.includes('@')) return `${of}email=${term}`;
  if (/\d/.test(term)) return `${of}email~${said}`;
  const value = /,|\s(?:or|and)\s/i.test(said) ? `"${said}"` : said;
  return of === '' ? `name~${value} or company~${value}` : `${of}name~${value}`;
}

async function ask(look: Look, family: Family, term: string, byId: boolean, searches: boolean): Promise<Found> {
  if (byId) {
    const item = await look.item(family.name, term).catch(unless('not_found'));
    return { items: item === undefined ? [] : [item] };
  }
  if (searches) {
    const hits = await look.search(family.name, term);
    const isListed = family.operations.some(({ action }) => action === 'list');
    const isCut = hits.items.length >= MOST_HITS && look.isWhole && isListed;
    return isCut && LAST_FOUR.test(term) ? allWith(look, family, term, hits) : hits;
  }
  const { items, since, total, doubt } = await look.list(family.name);
  const own = items.filter((raw) => isMeantBy(family, parseLossless(raw), term));
  if (doubt === undefined && total !== undefined && total > items.length)
    look.skip(
      commandOf(family.name),
      `${items.length} of ${total} were searched`,
      cops`${commandOf(family.name)} list --all`,
    );
  return { items: own, since, doubt };
}

/** All that holds the digits, where a search shows only ten; of cards, those that end with them: the question is whose. */
async function allWith(look: Look, { name }: Family, digits: string, hits: Found): Promise<Found> {
  const { items, doubt } = await look.list(name);
  const isCard = name === 'customer_cards';
  const holds = (item: Lossless): boolean =>
    isCard ? textAt(item, 'last_4') === digits : textsIn(item, false).some((text) => text.includes(digits));
  const own = items.filter((raw) => holds(parseLossless(raw)));
  const ids = new Set(own.map((raw) => textAt(parseLossless(raw), 'id')));
  const others = isCard ? [] : hits.items.filter((raw) => !ids.has(textAt(parseLossless(raw), 'id')));
  return { doubt, items: [...own, ...others], isWhole: true };
}

/** True for an item whose name is or contains the word, ignoring case. */
function isMeantBy(family: Family, item: Lossless, term: string): boolean {
  if (isCalled(family, item, term)) return true;
  const names = namePaths(family).map((path) => plain(get(item, path)) ?? '');
  return term.length > 2 && names.some((name) => name.toLowerCase().includes(term.toLowerCase()));
}

/** The columns of a hit that any hit fills. */
function hitColumns(family: Family, { items }: Found): readonly Column[] {
  const parsed = items.map((raw) => parseLossless(raw));
  const filled = HIT.filter(({ path }) => parsed.some((item) => plain(get(item, path))));
  return filled.length > 2 ? filled : family.columns;
}

/** The families that were not asked, in one line: each costs a request. */
function skipRest(look: Look, term: string, asked: readonly Family[]): void {
  const names = new Set(asked.map(({ name }) => name));
  const rest = FAMILY_INDEX.filter(
    ({ name, actions }) => !names.has(name) && actions.some(({ action }) => ['get', 'search', 'list'].includes(action)),
  );
  const some = ['coupons', 'campaigns', 'email_templates', 'api_calls'].filter((name) => !names.has(name)).slice(0, 2);
  look.skip(
    `${rest.length} other families`,
    `each takes a request; --in ${some.map(commandOf).join(',')} searches some of them`,
    cops`find ${hideCards(term)} --all`,
  );
}

/** The owner of items under an address that no customer has now: hits name no customer, so the first one is read. */
async function ownerFound(
  look: Look,
  term: string,
  asked: readonly Family[],
  sections: readonly Section[],
): Promise<CommandLine[]> {
  const [first] = sections;
  const hit = first?.items[0];
  // If customers were not requested, nobody needs to know, and a restricted agent must not.
  const isGone = asked.some(({ name }) => name === 'customers') && sections.every(({ word }) => word !== 'customers');
  if (!term.includes('@') || hit === undefined || !isGone) return [];
  const id = textAt(parseLossless(hit), 'id');
  const [known] = look.left > 0 && looksLikeId(id) ? await readNamed(look, [{ family: first?.word ?? '', id }]) : [];
  const customer = known && ownerOf(known.item);
  return customer ? [cops`customers show ${customer}`] : [];
}

function nextOf(sections: readonly Section[]): CommandLine[] {
  const [only] = sections;
  if (!only) return [];
  const [first] = only.items;
  const id = first === undefined ? undefined : plain(get(parseLossless(first), 'id'));
  if (id === undefined) return [];
  if (only.word === 'cardholders' || only.word === 'near_customers')
    return only.items.slice(0, 3).map((raw) => cops`customers show ${textAt(parseLossless(raw), 'id')}`);
  if (only.word === 'customers') return [cops`customers show ${id}`, cops`timeline ${id}`];
  const whose = first === undefined ? undefined : ownerOf(parseLossless(first));
  return [
    cops`${commandOf(only.word)} get ${id}`,
    ...(whose === undefined ? [] : [cops`customers show ${whose}`]),
    cops`timeline ${id}`,
  ];
}

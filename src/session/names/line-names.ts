import { CopsError, usage } from '../../base/errors/errors.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { loadFamily, optionName, pathParameters } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { idFault, looksLikeId } from '../../catalogue/value-formats.js';
import { copy, type TreeObject } from '../../items/json/tree.js';
import { hideCards } from '../../items/secrets/redact.js';
import { holdsIds, type Narrowing } from '../../items/select/made-filters.js';
import { sanitise } from '../../items/text/inert.js';
import { asMeant } from '../../items/text/typed-value.js';
import type { PageFetch } from '../../service/request/pager.js';
import type { FilterValues } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { lineWith, lineWithIds, withoutOptions } from '../context/lines.js';
import { manyIds, ownFilters } from '../operation/spec.js';
import { openReader, type Reader } from '../read/reading.js';
import { bodyReferences, familyOfParameter } from './body-references.js';
import { canName, isMistypedId } from './natural-keys.js';
import { mayName } from './order-parts.js';
import type { Named, ResolveOptions } from './resolve-name.js';

/** Requests that a read spends on people whom a search does not find. */
const MOST_FURTHER = 10;
/** For an edit with `--product`, which may be meant as a change of product. */
const noChange = (who: string): Text =>
  say`The product of a subscription can be changed only in the web application. Otherwise cancel this one (${cops`subscriptions cancel ${who}`}) and sell the other (${cops`sales create --help`}).`;
/** Words of a line that may be one name without its quotes. */
const MOST_PARTS = 10;

/**
 * Turns the names of one command line into ids; remembers their meanings for question and history. Most lines give ids,
 * so what looks names up is loaded by the first name.
 */
export class Names {
  /** Every name that was resolved so far. */
  readonly named: Named[] = [];
  #choosesOpen = false;
  #reader: Promise<Reader> | undefined;

  /**
   * @param latest true where the newest of what is called so is meant; undefined where no option says that
   * @param narrowed what tells apart those who are called alike
   * @param told the word of the line, if options told more of the name
   */
  constructor(
    private readonly context: Context,
    private readonly family: Family,
    private readonly operation: Operation,
    private readonly latest?: boolean,
    private readonly narrowed: readonly Narrowing[] = [],
    private readonly told?: Named['told'],
  ) {}

  /**
   * The ids of a path, with every word that is not an id looked up as a name in its family.
   * @throws CopsError `usage` (2) for a name that means none or several
   */
  async ids(idSets: readonly (readonly string[])[]): Promise<(readonly string[])[]> {
    const names = pathParameters(this.operation);
    const mayAsk = idSets.length === 1 && this.operation.risk !== 'read' && !this.context.options.yes;
    this.#refuseNarrowedId(idSets);
    this.#choosesOpen = mayAsk && (await this.context.prompter()).canPrompt();
    if (idSets.length > 1 && this.operation.risk !== 'read') await this.#many(idSets.map(([word = '']) => word));
    const sets: (readonly string[])[] = [];
    const refused: CopsError[] = [];
    for (const words of idSets) {
      const ids = await this.#set(words, names).catch((error: unknown) => {
        // A read of several names reports all that fail together.
        if (idSets.length === 1 || !(error instanceof CopsError) || error.kind !== 'usage') throw error;
        refused.push(error);
        return [];
      });
      sets.push(ids);
    }
    const [first, ...more] = refused;
    if (first === undefined) return sets;
    if (more.length === 0) throw first;
    throw new CopsError(
      first.kind,
      `${refused.length} of ${idSets.length} cannot be read: ${refused.map(({ message }) => message).join(' ')}`,
      {
        hint: first.facts.hint,
      },
    );
  }

  /** The ids of one path. */
  async #set(words: readonly string[], names: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const [at, word] of words.entries()) {
      const parameter = names[at] ?? '';
      const isId = (this.operation.params?.[parameter] ?? 'id') !== 'id';
      const isBelow = at > 0 && !isId && at === names.length - 1;
      const below = isBelow && !looksLikeId(asMeant(word)) && !isMistypedId(word) && (await this.#below(word, ids));
      if (below) {
        ids.push(below);
        continue;
      }
      const family = at === 0 ? this.family.name : familyOfParameter(parameter);
      ids.push(isId || family === undefined ? word : await this.#id(word, family, at === 0));
    }
    return ids;
  }

  /** An id is of one item already: that it is the one with this product is nothing that anyone looks at. */
  #refuseNarrowedId(idSets: readonly (readonly string[])[]): void {
    const [first] = this.narrowed;
    if (!first) return;
    const option = `--${first.option}`;
    if (idSets.length > 1) throw usage(`${option} says which item of one person is meant: give one name.`);
    const [word = ''] = idSets[0] ?? [];
    if (looksLikeId(asMeant(word)))
      throw usage(
        `${option} says which item of a person is meant, and ${asMeant(word)} is an id: leave it out.`,
        this.#meansChange(first) ? noChange(asMeant(word)) : undefined,
      );
  }

  #meansChange({ option }: Narrowing): boolean {
    return this.operation.action === 'edit' && option === 'product' && this.family.name === 'subscriptions';
  }

  /** If nothing has the product on the line, it may be the one to change to. */
  #unchanged(error: unknown, word: string): unknown {
    const [first] = this.narrowed;
    const isMeant = error instanceof CopsError && error.facts.isUnknown && first && this.#meansChange(first);
    return isMeant ? new CopsError(error.kind, error.message, { ...error.facts, hint: noChange(word) }) : error;
  }

  /** Filters with ids in the place of names: `--customer jane@example.com`. */
  async filters(values: FilterValues): Promise<FilterValues> {
    const result: Record<string, FilterValues[string]> = { ...values };
    for (const [name, field] of Object.entries(this.operation.query ?? {})) {
      const [family] = field.refers ?? [];
      const key = [name, optionName(name)].find((candidate) => result[candidate] !== undefined);
      if (family === undefined || field.format !== 'id' || key === undefined) continue;
      const given = result[key];
      if (typeof given === 'boolean' || given === undefined) continue;
      const ids: string[] = [];
      for (const word of [given].flat()) ids.push(await this.#id(word, family));
      result[key] = Array.isArray(given) ? ids : ids[0];
    }
    return result;
  }

  /** A body with ids instead of names in its references. */
  async body(body: TreeObject): Promise<TreeObject> {
    const own = copy(body) as TreeObject;
    for (const { holder, at, word, family } of bodyReferences(this.operation, own))
      if (family !== undefined) Reflect.set(holder, at, await this.#id(word, family));
    return own;
  }

  /** True if a body has a text that cannot be an id where an id belongs. */
  standIn(body: TreeObject): boolean {
    return bodyReferences(this.operation, body).some(({ word }) => !looksLikeId(word));
  }

  /**
   * Looks many words up at once, each list read once; what they mean is known from then on.
   * @throws CopsError `usage` (2), in live mode `stopped` (12), that lists those that mean nothing or several
   */
  async #many(typed: readonly string[]): Promise<void> {
    const { context, family } = this;
    const { idIn, resolveMany, unsettledLine } = await import('./many-names.js');
    const words = new Set(typed.filter((word) => idIn(word) === undefined && mayName(family, word)));
    // A name and a product without quotes around them are several words.
    const joined = typed.join(' ');
    if (typed.length <= MOST_PARTS && typed.every((word) => idIn(word) === undefined) && mayName(family, joined))
      words.add(joined);
    const [first] = words;
    const least = words.has(joined) ? 1 : 2;
    if (first === undefined || words.size < least || family.idField !== 'id') return;
    await this.#mayAsk(first);
    const looking = await this.#looking(family, true);
    const latest = this.latest === true ? this.operation : undefined;
    const options = { ...looking, isLive: looking.isLive === true, latest };
    const found = await resolveMany(family, words, options).finally(() => context.notes.progressDone());
    const whole = found.get(joined);
    const each = [...found].filter(([word]) => word !== joined);
    const open = each.flatMap(([word, meant]) => ('why' in meant ? [{ word, meant }] : []));
    const isWhole = whole !== undefined && 'named' in whole;
    if (open.length > 0 || (isWhole && each.length === 0)) {
      const { MOST_LISTED } = await import('./candidates.js');
      throw new CopsError(
        open.some(({ meant }) => meant.stops) ? 'stopped' : 'usage',
        `${open.length || typed.length} of ${typed.length} name no item of ${family.name.replaceAll('_', '-')}, or more than one: nothing was sent.`,
        {
          hint: joinedTexts(
            [
              isWhole && this.#wholeLine(typed, whole.named),
              ...open.slice(0, MOST_LISTED).map(({ word, meant }) => unsettledLine(word, meant)),
            ],
            '\n',
          ),
        },
      );
    }
    for (const [, meant] of each) {
      if (!('named' in meant)) continue;
      this.named.push(meant.named);
      noteNamed(context, namedLine(meant.named));
    }
  }

  /** Proposes the line with the id of the one item that several unquoted words name together. */
  #wholeLine(typed: readonly string[], { id, label }: Named): Text {
    const { argv } = this.context.world;
    const [first = '', ...others] = typed;
    const line = lineWith(
      argv.filter((word) => !others.includes(word)),
      first,
      id,
    );
    return line ? say`Together they name one, ${label}: ${line}` : '';
  }

  /** The id of an item that belongs to another one, such as a card by its last four digits; undefined without a list. */
  async #below(word: string, above: readonly string[]): Promise<string | undefined> {
    const context = this.context;
    const { listAbove, resolveBelow } = await import('./sub-items.js');
    const list = listAbove(this.family, this.operation);
    if (!list) return undefined;
    await this.#mayAsk(word);
    this.#reader ??= openReader(context);
    const found = await resolveBelow(this.family, list, above, word, await this.#reader);
    this.named.push(found);
    noteNamed(context, `"${word}" is ${found.id}${found.label === '' ? '' : ` (${found.label})`}.`);
    return found.id;
  }

  /** Refuses to look a word up in a dry run, unless nothing is sent anywhere and the profile only reads. */
  async #mayAsk(word: string): Promise<void> {
    const { context, operation } = this;
    if (context.options.dryRun && !(await context.profile()).embedded) throw notInDryRun(word);
    if (operation.risk === 'read') return;
    const { refuseReadOnly } = await import('../write/write.js');
    await refuseReadOnly(context, operation, operation.risk);
  }

  /** The word itself if it is an id, or cannot be a name of the family; otherwise its meaning. */
  async #id(word: string, familyName: string, isSubject = false): Promise<string> {
    const id = asMeant(word);
    if (looksLikeId(id)) {
      if (id !== word) noteNamed(this.context, `"${word}" is read as ${id}.`);
      return id;
    }
    const family = await loadFamily(familyName);
    const listed = family.operations.some(({ action }) => action === 'list' || action === 'search');
    if (family.idField !== 'id' || !mayName(family, word) || !listed) return word;
    const known = this.named.find((one) => one.typed === word && one.family === familyName);
    if (known) return known.id;
    const context = this.context;
    await this.#mayAsk(word);
    const { resolveName } = await import('./resolve-name.js');
    const found = await resolveName(family, word, {
      ...(await this.#looking(family, this.operation.risk !== 'read')),
      pick: await pickerOf(context, word),
      ...(isSubject
        ? { ...(await this.#choosing(word)), narrowed: this.narrowed }
        : { line: (id) => lineWith(context.world.argv, word, id) }),
    })
      .catch((error: unknown) => {
        throw isSubject ? this.#unchanged(error, word) : error;
      })
      .finally(() => context.notes.progressDone());
    const options = this.narrowed.map(({ option }) => `--${option}`);
    this.named.push(isSubject ? { ...found, told: this.told ?? { word, options } } : found);
    noteNamed(context, namedLine(found));
    if (isSubject && this.latest && this.operation.preview?.refund) {
      const { newerPayments } = await import('./newer-payments.js');
      const newer = await newerPayments(found, await this.#looking(family, true));
      if (newer) context.notes.warn(newer);
    }
    return found.id;
  }

  /** Filters made here, with ids instead of names: items show the names they had at their creation. */
  async madeFilters<Options extends Readonly<Record<string, unknown>>>(options: Options): Promise<Options> {
    const found: Record<string, unknown> = {};
    for (const filter of ownFilters(this.family, this.operation)) {
      const given = options[filter.option];
      if (given === undefined || filter.refers === undefined || !holdsIds(filter)) continue;
      const words = [given].flat().map(String);
      found[filter.option] = await Promise.all(words.map((word) => this.#formerName(word, filter.refers as string)));
    }
    return { ...options, ...found };
  }

  async #formerName(word: string, familyName: string): Promise<string> {
    const family = await loadFamily(familyName);
    if (looksLikeId(word) || !canName(family, word) || this.context.options.dryRun) return word;
    return (await this.#findNow(family, word))?.id ?? word;
  }

  /** Items with that name now. If the key may not look there, the items' own values answer, with a note. */
  async #findNow(family: Family, word: string): Promise<Named | undefined> {
    const { notes } = this.context;
    const where = family.name.replaceAll('_', '-');
    const instead = 'it is compared with what the items say, which may be a former name';
    try {
      const { findName } = await import('./resolve-name.js');
      const found = await findName(family, word, await this.#looking(family, false));
      if (found) noteNamed(this.context, namedLine(found));
      else notes.note(`Nothing of ${where} is called "${word}" now: ${instead}.`);
      return found;
    } catch (error) {
      if (!(error instanceof CopsError) || !['not_authorised', 'not_found', 'refused'].includes(error.kind))
        throw error;
      notes.warn(`"${word}" could not be looked up in ${where} (${error.message}): ${instead}.`);
      return undefined;
    } finally {
      notes.progressDone();
    }
  }

  /** What tells apart several items of the same name, if one of them is written to. */
  async #choosing(word: string): Promise<Partial<ResolveOptions>> {
    const { notWhile, preview, risk } = this.operation;
    const options = this.narrowed.map(({ option }) => `--${option}`);
    const argv = withoutOptions(this.context.world.argv, this.told?.options ?? options);
    const line = (id: string): CommandLine | undefined => lineWith(argv, this.told?.word ?? word, id);
    if (risk === 'read') return { latest: this.latest, line };
    const { fitsOf } = await import('./candidates.js');
    return {
      latest: this.latest,
      choosesOpen: this.#choosesOpen && notWhile !== undefined && preview?.refund !== true,
      fits: fitsOf(this.family, this.operation),
      line,
      elsewhere: preview?.refund
        ? async (family, people) => {
            const { paidElsewhere } = await import('./newer-payments.js');
            const looking = await this.#looking(family, true);
            return paidElsewhere(this.context, family, { people, without: options }, looking);
          }
        : undefined,
      lineOfAll: (ids) => this.#lineOfAll(argv, word, ids),
      possible: possibleWhile(this.operation, this.family),
    };
  }

  /** Money goes back to one item at a time; and a command of its own, such as a postponement, takes one. */
  #lineOfAll(argv: readonly string[], word: string, ids: readonly string[]): CommandLine | undefined {
    const { preview, action } = this.operation;
    const isOwn = this.context.command !== `${this.family.name.replaceAll('_', '-')} ${action}`;
    if (isOwn || preview?.refund === true || !manyIds(this.operation)) return undefined;
    return lineWithIds(argv, [{ typed: word, id: ids }], `--expect=${ids.length}`);
  }

  async #looking(family: Family, writes: boolean): Promise<ResolveOptions> {
    const context = this.context;
    this.#reader ??= openReader(context);
    const { mode, modeAssumed } = await context.profile();
    const { provenFirstDay } = await import('../read/first-day.js');
    return {
      asker: await this.#reader,
      now: Math.floor((await context.now()) / 1000),
      prove: writes,
      further: writes ? undefined : furtherIn(context, await this.#reader),
      isLive: writes && (mode.value === 'live' || modeAssumed),
      // A write trusts no remembered day, and set-up may be older than the first customer and sale.
      beginning: writes || family.nature === 'set-up' ? undefined : await provenFirstDay(context),
      progress: (text) => context.notes.progress(text),
      warn: (text) => (context.notes.quote ? context.notes.quote(text) : context.notes.warn(text)),
    };
  }
}

/** Searches the newest items of a list for what its search does not find. */
export function furtherIn(context: Context, asker: PageFetch): ResolveOptions['further'] {
  return async (family, word) => {
    const { lookThrough } = await import('../read/search-lists.js');
    return lookThrough(context, family, asker, word, MOST_FURTHER);
  };
}

/** When an operation is possible: `activate is possible while suspended.` Undefined if no state forbids it. */
function possibleWhile({ action, notWhile }: Operation, { item }: Family): string | undefined {
  const states = item?.status?.enum?.filter((state) => notWhile?.includes(state) === false) ?? [];
  return states.length === 0 ? undefined : `${action} is possible while ${states.join(' or ')}:`;
}

/** Notes what a name means, in names of the service. */
function noteNamed({ notes }: Context, text: string): void {
  if (notes.quote) notes.quote(hideCards(text));
  else notes.note(hideCards(text));
}

/**
 * Asks which of several items a word means, and names the resulting line; undefined without a person at the terminal,
 * or with `--yes`, which answers for somebody who does not look.
 */
async function pickerOf(context: Context, word: string): Promise<ResolveOptions['pick']> {
  const { world, options, notes } = context;
  if (options.yes || world.stdout.isTTY !== true) return undefined;
  const prompter = await context.prompter();
  if (!prompter.canPrompt()) return undefined;
  const { ownParts } = await import('./candidates.js');
  return async (family, candidates) => {
    notes.progressDone();
    const where = family.name.replaceAll('_', '-');
    const own = ownParts(candidates);
    const choices = candidates.map(({ id }, at) => ({ value: id, name: hideCards(sanitise(`${id}  ${own[at]}`)) }));
    const question = `"${sanitise(word)}" means ${candidates.length} of ${where}. Which one?`;
    const id = await prompter.pick(question, choices);
    const picked = candidates.find((one) => one.id === id);
    if (!picked) throw usage('Nothing was chosen, so nothing was sent.');
    const line = lineWith(world.argv, word, picked.id);
    if (line) notes.note(say`The same without a question: ${line}`);
    return picked;
  };
}

function notInDryRun(word: string): CopsError {
  const fault = idFault(word) ?? 'is not an id';
  return usage(
    `"${word}" ${fault}, and cannot be looked up as a name, because --dry-run sends nothing.`,
    say`Find its id with: ${cops`find ${word}`}`,
  );
}

/** What a name means, in one line. */
export const namedLine = ({ typed, id, label, family }: Named): string =>
  `"${typed}" is ${id} of ${family.replaceAll('_', '-')}${label === '' ? '' : ` (${label})`}.`;

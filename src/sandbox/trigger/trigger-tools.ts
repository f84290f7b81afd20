import { CopsError, usage } from '../../base/errors/errors.js';
import type { Scene } from '../rules/call.js';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../serve/embedded-keys.js';
import type { Outgoing } from '../serve/messages.js';
import type { Service } from '../serve/service.js';
import type { ItemStore, Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { bodyBytes } from '../store/prebuilt-json.js';
import { newId } from '../store/seeded-ids.js';
import type { GivenFields } from './given-fields.js';

/** Cards of `../rules/cards.ts`, by the outcome of a payment. */
export const CARDS = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  error: '4000000000000119',
  held: '4000000000003220',
  merchant: '4000000000000127',
  partly: '4000000000000341',
  fraud: '4100000000000019',
} as const;

/** Makes one event happen, through the service's own operations. */
export type Recipe = (tools: Tools) => Promise<void>;

type Fits = (value: Value) => boolean;

/** The tools of a recipe: the service itself, as any client has it, and read access to its store. */
export class Tools {
  readonly store: ItemStore;
  /** Unix seconds on the sandbox's clock. */
  readonly now = () => this.opened.moment().unix;

  /** @param item the item named on the command line. */
  constructor(
    private readonly opened: OpenedSandbox,
    private readonly service: Service,
    readonly live: boolean,
    private readonly random: () => number,
    readonly item?: string | undefined,
    private readonly fields?: GivenFields | undefined,
  ) {
    this.store = opened.store;
  }

  /** The scene for changes that no operation makes. */
  scene(): Scene {
    return { store: this.store, live: this.live, now: this.now(), newId };
  }

  /** The same without the named item, for intermediate items. */
  alone(): Tools {
    return new Tools(this.opened, this.service, this.live, this.random, undefined, this.fields);
  }

  /**
   * One write under the service's own rules; a failed payment counts as an answer.
   * @throws CopsError `refused` for any other refusal
   */
  async post(path: string, body: Value = {}): Promise<Value> {
    const filled = (await this.fields?.into(path, body)) ?? body;
    const key = this.live ? SANDBOX_LIVE_KEY : SANDBOX_TEST_KEY;
    const request = { method: 'POST', path, query: [], key, body: JSON.stringify(filled) };
    const { status, body: text }: Outgoing = await this.service.handle(request);
    const answer = JSON.parse(bodyBytes(text).toString('utf8')) as Value;
    if (status === 200 || status === 402) return answer;
    throw new CopsError('refused', `The sandbox refused POST ${path}: ${String(answer.message)}`, {
      hint: 'Name another item with --item, or start again: cops sandbox reset',
    });
  }

  /** A word that no item has yet. */
  word(): string {
    return `trigger-${Math.floor(this.random() * 2 ** 48).toString(36)}`;
  }

  get(family: string, id: unknown): Stored {
    const found = this.store.get(family, String(id), this.live);
    if (!found) throw new CopsError('not_found', `The sandbox has no ${id} in ${family}.`);
    return found;
  }

  /** The newest suitable items of a family; looks at the last 500. */
  find(family: string, fits: Fits = () => true): Stored | undefined {
    const kind = this.store.kind(family, this.live);
    for (let offset = 0; offset < 500; offset += 50) {
      const values = this.store.pages.items(kind, offset, 50);
      const found = values.find(fits);
      if (found) return this.store.get(family, String(found.id), this.live);
      if (values.length < 50) return undefined;
    }
    return undefined;
  }

  /**
   * The item to act on: the one named on the command line, else a suitable one, else a new one.
   * @throws CopsError `not_found`, or `usage` for an unsuitable one
   */
  async subject(family: string, fits: Fits, make?: () => Promise<Stored>, what = 'fits'): Promise<Stored> {
    if (this.item !== undefined) {
      const named = this.get(family, this.item);
      if (!fits(named.value)) throw usage(`--item ${this.item} is in ${family}, but it is none that ${what}.`);
      return named;
    }
    const found = make ? undefined : this.find(family, fits);
    if (found) return found;
    if (make) return make();
    throw new CopsError('not_found', `The sandbox has nothing in ${family} that ${what}.`, {
      hint: 'cops sandbox reset recreates the data.',
    });
  }
}

import { wrongOption } from '../../base/errors/errors.js';
import { bodyFieldAt } from '../../catalogue/body-fields.js';
import { serialise } from '../../items/json/tree.js';
import { PathFault, type PathStep, parseAssignment } from '../../service/body/data-path.js';
import { type BodyIo, gatherBody } from '../../service/body/gather.js';
import { findRoute } from '../serve/routes.js';
import { isItem, type Value } from '../store/item-values.js';

/** Fields given on the command line (`-d customer.email=qa@example.com`) for the writes that make an event happen. */
export class GivenFields {
  readonly #taken = new Set<string>();

  constructor(
    private readonly data: readonly string[],
    private readonly io: BodyIo,
  ) {}

  /**
   * Adds to a write's body those fields that it takes. @throws CopsError `usage` for a value that a field cannot have
   */
  async into(path: string, body: Value): Promise<Value> {
    if (this.data.length === 0) return body;
    const { operation } = await findRoute('POST', path);
    const own = this.data.filter((text) => {
      const steps = stepsOf(text).map((step) => (typeof step === 'object' ? 0 : step));
      return bodyFieldAt(operation, steps).field !== undefined;
    });
    if (own.length === 0) return body;
    for (const text of own) this.#taken.add(text);
    const gathered = await gatherBody(operation, { data: own }, this.io);
    return merged(body, JSON.parse(serialise(gathered.body)) as Value);
  }

  /** The fields that no write took. */
  left(): string[] {
    return this.data.filter((text) => !this.#taken.has(text));
  }
}

function stepsOf(text: string): readonly PathStep[] {
  try {
    return parseAssignment(text).steps;
  } catch (fault) {
    if (fault instanceof PathFault) throw wrongOption('-d', `${fault.message}.`);
    throw fault;
  }
}

function merged(below: Value, above: Value): Value {
  const result: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const known = result[name];
    result[name] = isItem(known) && isItem(value) ? merged(known, value) : value;
  }
  return result;
}

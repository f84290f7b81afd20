import { broughtBy } from '../../account/safety/as-sent.js';
import { warningsOf } from '../../account/safety/question.js';
import { mapText, say, type Text } from '../../base/text/command-line.js';
import { operationNamed } from '../../catalogue/index.js';
import { sanitise } from '../../items/text/inert.js';
import type { PreparedWrite } from './prepared-write.js';

/** A write as far as it says what else it does. */
type Bringing = Pick<PreparedWrite, 'operation' | 'body'>;

/** An operation that a field of a write brings besides, as a write of its own. */
export interface BroughtWrite {
  readonly field: string;
  /** Family and action: `sales void`. */
  readonly name: string;
  readonly write: PreparedWrite;
  /** False where nothing tells which items it is done to. */
  readonly isOfItem: boolean;
}

/** What the body of a write brings besides its operation; none for nearly all writes. */
export async function broughtWrites({ operation, body }: Bringing): Promise<readonly BroughtWrite[]> {
  const all: BroughtWrite[] = [];
  for (const { field, operation: name, ids } of broughtBy(operation, body)) {
    const known = await operationNamed(name);
    if (!known) throw new RangeError(name);
    const { risk } = known.operation;
    const write = { ...known, risk, ids: ids ?? [], body: {}, key: null, again: false };
    all.push({ field, name, write, isOfItem: ids !== undefined });
  }
  return all;
}

/** @param lines what would be asked of that operation alone, the line of the account first */
export async function broughtLines(
  prepared: Bringing,
  lines: (write: PreparedWrite) => Promise<readonly Text[]>,
): Promise<Text[]> {
  const all: Text[] = [];
  for (const { field, name, write, isOfItem } of await broughtWrites(prepared)) {
    const { summary } = write.operation;
    const whole = isOfItem ? (await lines(write)).slice(1) : [`${name}: ${summary}`, ...warningsOf(write.operation)];
    all.push(...whole.map((line, index) => mapText(index === 0 ? say`And with ${field}: ${line}` : line, sanitise)));
  }
  return all;
}

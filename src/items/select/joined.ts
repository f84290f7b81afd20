import type { Lossless } from '../json/lossless.js';
import { type Condition, comparisons } from './condition.js';
import { type Fulfilled, fulfils } from './fulfils.js';
import { UNKNOWN, valuesAt } from './values.js';

/** Adds the values of related rows to items, and tests rows that refer to them. */
export interface Joining {
  /** True for a path that leads to a row of another family. */
  isFar(path: string): boolean;
  /** Copies a value that the item itself carries to its far path; false where the related row must be requested. */
  bringOwn(item: Lossless, path: string): boolean;
  /** Adds the values at far paths to items, with as few requests as possible. */
  bring(items: readonly Lossless[], paths: readonly string[]): Promise<void>;
  /** The questions of `--with` and `--without`. */
  readonly sides: readonly Side[];
}

/** A question about the rows that belong to an item. */
export interface Side {
  /** As typed, with its option. */
  readonly text: string;
  meets(items: readonly Lossless[]): Promise<readonly Fulfilled[]>;
}

/** An item passing through a selection. */
export interface Kept<Source> {
  readonly item: Source;
  readonly value: Lossless;
  /** Paths of conditions whose result is unknown for it. */
  readonly doubts: Set<string>;
}

/** The far paths of a condition. */
export function farPaths(condition: Condition, joining: Joining): string[] {
  const paths = comparisons(condition).flatMap(({ path, field }) => [path, ...(field ? [field.path] : [])]);
  return [...new Set(paths)].filter((one) => joining.isFar(one));
}

/**
 * Keeps the items that fulfil conditions on related rows. Items that carry all the values pass immediately, as long as
 * none before them waits for its rows; the rest are looked up together, condition by condition, so that an item one
 * condition rejects costs the next nothing.
 *
 * @param saw receives each item that a condition is tested on, with its related values
 */
export async function* joined<Source>(
  kept: AsyncIterable<Kept<Source>>,
  conditions: readonly Condition[],
  joining: Joining,
  saw: (condition: Condition, value: Lossless) => void = () => undefined,
): AsyncGenerator<Kept<Source>> {
  let held: Kept<Source>[] = [];
  let isShown = false;
  const fits = (one: Kept<Source>, condition: Condition): boolean => {
    saw(condition, one.value);
    return settled(one, condition.field ? condition.text : condition.path, fulfils(one.value, condition));
  };
  const isOwn = ({ value }: Kept<Source>): boolean =>
    conditions.flatMap((one) => farPaths(one, joining)).every((path) => joining.bringOwn(value, path));
  for await (const one of kept) {
    const carries = isOwn(one);
    isShown ||= carries;
    if (held.length > 0 || joining.sides.length > 0 || !carries) held.push(one);
    else if (conditions.every((condition) => fits(one, condition))) yield one;
  }
  // Even without items, related rows are read to check the names, unless an item showed them.
  for (const condition of held.length === 0 && isShown ? [] : conditions) {
    await joining.bring(
      held.map(({ value }) => value),
      farPaths(condition, joining),
    );
    held = held.filter((one) => fits(one, condition));
  }
  for (const side of joining.sides) {
    const met = await side.meets(held.map(({ value }) => value));
    held = held.filter((one, at) => settled(one, side.text, met[at] ?? 'unknown'));
  }
  yield* held;
}

function settled({ doubts }: Kept<unknown>, name: string, found: Fulfilled): boolean {
  if (found === 'unknown') doubts.add(name);
  return found !== false;
}

/** Adds the values at far paths to items; `lacking` counts the items for which they are unknown. */
export async function* brought<Source extends { readonly value: Lossless }>(
  kept: AsyncIterable<Source>,
  paths: readonly string[],
  joining: Joining | undefined,
  lacking: Map<string, number>,
): AsyncGenerator<Source> {
  const far = joining ? [...new Set(paths.filter((path) => joining.isFar(path)))] : [];
  if (!joining || far.length === 0) {
    yield* kept;
    return;
  }
  const all: Source[] = [];
  for await (const one of kept) all.push(one);
  await joining.bring(
    all.map(({ value }) => value),
    far,
  );
  for (const path of far) {
    const count = all.filter(({ value }) => valuesAt(value, path).includes(UNKNOWN)).length;
    if (count > 0) lacking.set(path, (lacking.get(path) ?? 0) + count);
  }
  yield* all;
}

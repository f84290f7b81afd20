import { customers, type joinedAccount, type Row } from '../fixtures/joined-account.js';
import { StandingClock } from '../harness/clock.js';

export const run = (home: Awaited<ReturnType<typeof joinedAccount>>['home'], line: readonly string[]) =>
  home.run([...line, '--tz', 'UTC'], { clock: new StandingClock() });

const byId = new Map(customers.map((one) => [one.id, one]));
export const customerOf = (row: Row): Row | undefined => byId.get((row.customer as Row | null | undefined)?.id);
export const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id).toSorted();
export const unknownIn = (error: { readonly [name: string]: unknown }) => error.unknown;

export const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

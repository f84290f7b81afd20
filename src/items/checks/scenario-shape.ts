// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write places this way
import { z } from 'zod';
import { fileFormat } from './shape-faults.js';

/*
 * The format of a scenario file, defined only here: its faults, its JSON Schema and its type derive from this.
 */

const conditions = z
  .array(z.string())
  .describe("Conditions as --where takes them, all of which must hold: status=active, 'amount>20'.");
const count = z
  .union([z.number().int().min(0), z.string().regex(/^(?:=|!=|>=|<=|>|<)\s*\d+$/)])
  .describe('How many: 3, ">=1".');
const families = z.array(z.string());

const expectation = z
  .strictObject({
    item: z.string().describe('A family and an id, `subscriptions ${sub.id}`: the item must meet `where`.'),
    list: z.string().describe('A family: as many items as `count` says, or at least one, must meet `where`.'),
    sum: z.string().describe('A family: `field` of the items that meet `where` must add up to `equals`.'),
    field: z.string(),
    equals: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe('Sums by currency: {USD: 30.00}. A currency that is not listed must have nothing.'),
    where: conditions,
    count,
    events: z.array(z.string()).describe('Account events raised since the beginning, in this order.'),
    mail: conditions.describe('Mail that meets these conditions was sent since the beginning.'),
    functions: conditions.describe('Runs of functions that meet these conditions.'),
    unchanged: z
      .strictObject({ except: families.optional() })
      .describe('Nothing in the service changed during the step; at the end of a scenario: since its beginning.'),
    value: z.string().describe('A condition on a bound value: `refund.amount=10`.'),
  })
  .partial()
  .refine((one) => oneOf(one, ['item', 'list', 'sum', 'events', 'mail', 'functions', 'unchanged', 'value']), {
    message: 'takes one of item, list, sum, events, mail, functions, unchanged, value',
  });

const step = z
  .strictObject({
    run: z
      .union([z.string(), z.array(z.string())])
      .describe('A cops command, without `cops`; quotes keep words together.'),
    event: z.string().describe('An account event to trigger, with its items.'),
    item: z.string().describe('With event: the item it happens to.'),
    advance: z.string().describe('A span: the clock stops at each moment when something falls due.'),
    advance_to: z.string().describe('A moment, or a field of a bound value: sub.next_renewal.'),
    use: z.string().describe('Steps from `shared`, by name.'),
    with: z.record(z.string(), z.unknown()).describe('Values for the shared steps: ${with.amount}.'),
    as: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/i)
      .describe("Binds the step's result: ${sale.id}."),
    body: z
      .record(z.string(), z.unknown())
      .describe('The body of a write; for an event: fields of the writes that trigger it.'),
    input: z.string().describe('Standard input.'),
    lose: z
      .enum(['answer', 'request'])
      .describe('For the first write of the step: its answer, or the request itself, gets lost.'),
    exit: z.number().int().min(0).max(255).describe('The exit code; 0 by default.'),
    error: z.string().describe("The error's kind, or the service's error code."),
    expect: z.array(expectation),
  })
  .partial()
  .refine((one) => oneOf(one, ['run', 'event', 'advance', 'advance_to', 'use', 'expect'], ['expect']), {
    message: 'takes one of run, event, advance, advance_to, use, or only expect',
  });

const one = z.union([z.number().min(0).max(1), z.string().regex(/^\S+$/)]);
const how = z.union([one, z.array(one)]);
/** Faults of an answer or its way; those that change a list while it is read need a server of several clients. */
const faults = z
  .strictObject({
    '429': how,
    'retry-after': how,
    '500': how,
    '500-after': how,
    '503': how,
    'cut-before': how,
    'cut-after': how,
    truncate: how,
    'wrong-type': how,
  })
  .partial();

const stub = z.strictObject({
  url: z.string().describe('The whole address; * stands for any text.'),
  method: z.string().optional().describe('Any unless said.'),
  status: z.number().int().min(200).max(599).optional().describe('200 unless said.'),
  body: z.unknown().optional().describe('A text, or a value to send as JSON.'),
});

const scenario = z.strictObject({
  version: z.literal(1),
  name: z.string().optional(),
  about: z.string().optional(),
  tags: z.array(z.string()).optional(),
  skip: z.string().optional().describe('Why it is skipped.'),
  timeout: z
    .string()
    .regex(/^\d+(?:ms|s|m)$/)
    .optional()
    .describe('30s unless said.'),
  given: z
    .strictObject({
      now: z.string().describe('When it begins; 2026-01-15T09:00:00Z by default, never today.'),
      tz: z.string().describe('The time zone for days; UTC by default.'),
      seed: z.number().int().min(0),
      renewals: z
        .number()
        .int()
        .min(0)
        .max(20_000)
        .describe('The size of the existing business: customers with this many renewals. None by default.'),
      snapshot: z
        .string()
        .describe('A snapshot of the sandbox (cops sandbox snapshot save) to start from, including its clock.'),
      setup: z.string().describe('A set-up folder: it is applied to an empty service.'),
      secrets: z.record(z.string(), z.string()).describe('Stand-ins for ${secret.NAME} of the set-up.'),
      faults: faults.describe(
        'Shares of the requests that are disturbed, or how many: {500: 0.1, 503: 3x@sales}. See sandbox serve --fault.',
      ),
      cards: z
        .array(z.strictObject({ number: z.string().regex(/^\d{12,19}$/), declines_from: z.string() }))
        .describe('Cards that are declined from a given day on.'),
      stubs: z
        .array(stub)
        .describe(
          'Answers to the requests of functions. Functions reach nothing else; without stubs they have no fetch.',
        ),
    })
    .partial()
    .refine(
      (one) =>
        one.snapshot === undefined ||
        ['now', 'renewals', 'setup', 'secrets'].every((name) => !Object.hasOwn(one, name)),
      {
        message: 'a snapshot has its own clock and data: leave out now, renewals, setup and secrets',
      },
    )
    .optional(),
  cases: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .optional()
    .describe('Run once for each row: ${case.amount}.'),
  shared: z.record(z.string(), z.array(step)).optional().describe('Named steps, for `use`.'),
  steps: z.array(step).min(1),
  expect: z.array(expectation).optional().describe('What must hold at the end.'),
});

function oneOf(value: object, names: readonly string[], alone: readonly string[] = []): boolean {
  const given = names.filter((name) => Object.hasOwn(value, name) && !alone.includes(name));
  return given.length === 1 || (given.length === 0 && alone.some((name) => Object.hasOwn(value, name)));
}

export type ScenarioFile = z.infer<typeof scenario>;
export type ScenarioStep = z.infer<typeof step>;
export type Expectation = z.infer<typeof expectation>;

export const SCENARIO_FORMAT = fileFormat('A scenario of cops test', scenario);

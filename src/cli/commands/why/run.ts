import { dayIn } from '../../../base/time/periods.js';
import { looksLikeId } from '../../../catalogue/value-formats.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { zoneInUse } from '../../../session/context/zone.js';
import type { Look } from '../../../session/lookup/ask.js';
import { failuresOf, nothingFailed } from '../../../session/lookup/failures.js';
import { knownItem, openLook, present } from '../../../session/lookup/look.js';
import { findPerson } from '../../../session/lookup/person.js';
import type { Sheet } from '../../../session/lookup/sheet.js';
import { aroundOf, WHY_FAMILIES, whySheet } from '../../../session/lookup/why.js';

interface WhyOptions {
  readonly family?: string;
  readonly all?: boolean;
}

/** `cops why <id | who>`: of a customer the newest of what failed. */
export async function run(context: Context, { words: [word = ''], options }: CommandInput<WhyOptions>): Promise<Done> {
  const look = await openLook(context, { all: options.all });
  const zone = await zoneInUse(context);
  const day = (unix: number): string => dayIn(unix, zone);
  if (looksLikeId(word)) {
    const known = await knownItem(context, look, word, options.family, [...WHY_FAMILIES, 'customers']);
    const sheet =
      known.family === 'customers'
        ? personSheet(look, known.raw, day)
        : whySheet(look, await aroundOf(look, known), day);
    return present(context, await sheet, options);
  }
  const customer = await findPerson(look, word, (text) => context.notes.warn(text));
  return present(context, await personSheet(look, customer, day), options);
}

async function personSheet(look: Look, customer: string, day: (unix: number) => string): Promise<Sheet> {
  const failures = await failuresOf(look, customer, day);
  if (!failures.latest) return nothingFailed(failures, look, customer);
  const around = await aroundOf(look, failures.latest);
  const told = await failures.told(around);
  const sheet = whySheet(look, around, day);
  const shown = new Set(sheet.sections.flatMap(({ items }) => items));
  const others = told.sections.map((section) => {
    const items = section.items.filter((raw) => !shown.has(raw));
    return { ...section, items, total: items.length };
  });
  return {
    ...sheet,
    heading: [told.heading, ...sheet.heading],
    facts: [['customer', customer], ...sheet.facts],
    sections: [...sheet.sections, ...others.filter(({ items }) => items.length > 0)],
  };
}

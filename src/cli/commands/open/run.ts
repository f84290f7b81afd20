import { usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { looksLikeId } from '../../../catalogue/value-formats.js';
import { Item } from '../../../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { nameInUse, storedProfile, storeOf } from '../../../session/context/key-input.js';
import { familyNamed, knownItem, openLook, seenIn } from '../../../session/lookup/look.js';

/** Likely families of an id whose family is unknown. */
const USUAL = ['customers', 'subscriptions', 'sales', 'subscription_renewals', 'transactions', 'products'];

/** `cops open <id>`: prints the address and opens nothing. */
export async function run(
  context: Context,
  { words: [id = ''], options }: CommandInput<{ readonly family?: string }>,
): Promise<Done> {
  if (!looksLikeId(id))
    throw usage(`cops open: "${id}" is not an id (20 characters).`, say`Find it with: ${cops`find ${id}`}`);
  const name = await nameInUse(context);
  const pattern = storedProfile(storeOf(context).read(), name).web_url;
  if (pattern === undefined) {
    throw usage(
      `Profile ${name} has no address of the web application.`,
      say`Set it: ${cops`config set web_url "https://app.example.com/{family}/{id}"`}`,
    );
  }
  const family =
    options.family === undefined ? await familyOf(context, id, pattern) : familyNamed(options.family, '--family');
  const url = pattern.replaceAll('{family}', () => family).replaceAll('{id}', () => encodeURIComponent(id));
  const { format, query } = await context.settings();
  if (format === 'table' && query === undefined) return { result: { shape: 'text', text: `${url}\n` } };
  return { result: { shape: 'one', item: Item.of({ id, family: family || null, url }) } };
}

/** The family of an id; '' if the pattern does not need it. */
async function familyOf(context: Context, id: string, pattern: string): Promise<string> {
  if (!pattern.includes('{family}')) return '';
  const seen = await seenIn(context, id);
  if (seen !== undefined) return seen;
  return (await knownItem(context, await openLook(context, {}), id, undefined, USUAL)).family;
}

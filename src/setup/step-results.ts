import { CopsError, usage } from '../base/errors/errors.js';
import { Item } from '../items/json/item-json.js';
import { colourLevel } from '../screen/notes.js';
import { palette } from '../screen/style.js';
import type { Context, Done } from '../session/context/context.js';
import { keptDrift, type SetupPlan } from './types.js';
import { planDocument, planMarkdown, planText } from './view.js';

/**
 * A plan in the requested form: a comment, data for machines, or text for people.
 * @param counts further counts, shown after those of the plan
 * @param compared the families named on the line
 */
export async function planResult(
  context: Context,
  plan: SetupPlan,
  markdown: boolean,
  counts = '',
  compared: readonly string[] = [],
): Promise<Done['result']> {
  const { format, query, columns } = await context.settings();
  if (markdown) {
    const asked = { '--output': context.options.output, '--query': query, '--columns': columns };
    for (const [name, value] of Object.entries(asked))
      if (value !== undefined) throw usage(`--markdown is a separate format: it cannot be combined with ${name}.`);
    return { shape: 'text', text: planMarkdown({ ...plan, summary: plan.summary + counts }, compared) };
  }
  const told = { ...plan, summary: plan.summary + counts };
  if (format !== 'table' || query !== undefined || columns !== undefined)
    return {
      shape: 'one',
      item: new Item(planDocument({ ...told, summary: plan.summary + driftSaid(plan) + counts }).trim()),
    };
  return { shape: 'text', text: await coloured(context, told), painted: true, prose: true };
}

/** The count of changes made only in the service, after the counts of steps. */
function driftSaid({ drift }: SetupPlan): string {
  const kept = keptDrift(drift);
  // Nothing drifted where nothing was known before.
  const word = kept.every(({ kind }) => kind === 'unknown') ? 'left as they are there' : 'drifted';
  return kept.length > 0 ? `, ${kept.length} ${word}` : '';
}

/** A plan for people, in the colours of the output stream. */
export async function coloured(
  { world, options }: Context,
  plan: SetupPlan,
  stream: NodeJS.WriteStream = world.stdout,
): Promise<string> {
  return planText(plan, await palette(colourLevel(world.env, stream, options.color) > 0));
}

/**
 * Exit code 13 where something differs; drift counts. For a plan, changes that cannot be set do not count, because no
 * apply could ever remove them.
 * @param shown how the plan was shown: a text already includes its counts
 * @param beyond differences that are not part of the plan
 */
export function differs(plan: SetupPlan, shown: Done['result'], beyond = 0): CopsError | undefined {
  const kept = keptDrift(plan.drift).length;
  const count = plan.steps.length + kept + plan.shared.length + beyond;
  if (count === 0) return undefined;
  const more = { plan: plan.id };
  if (shown?.shape === 'text') return new CopsError('differs', 'Differences found.', { more, moreIsSaid: true });
  const rest = beyond > 0 ? `, ${beyond} only ${plan.folder === undefined ? 'in the other' : 'in the service'}` : '';
  return new CopsError('differs', `Differences found: ${plan.summary}${driftSaid(plan)}${rest}.`, { more });
}

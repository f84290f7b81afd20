import { DAY } from '../../base/time/units.js';
import { memoEnd } from '../automation/due-tasks.js';
import { nextRun } from '../automation/schedules.js';
import { KEPT_SECONDS } from '../automation/threads.js';
import { undated } from '../rules/builders.js';
import type { Value } from '../store/item-values.js';
import { type AccountData, idAndName, inLine, putting, type SeedScene, usual } from './seed-account.js';
import type { Made } from './seed-recurring.js';
import type { SiteData } from './site.js';

/** Seeds assistants with their threads and memos, functions, prompts and mail. */
export function seedAutomation(scene: SeedScene, account: AccountData, made: Made, site: SiteData): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const put = putting(scene, live);
  const type = site.integrations.find((one) => one.integration_type === 'ai') as Value;
  const integration = put('user_third_party_integrations', 300, {
    ...usual('Language model'),
    third_party_credentials_saved: ['default'],
    third_party_options_saved: [{ id: 'model', fields: [{ id: 'model_name', value: ['small'] }] }],
    site_third_party_integration: undated(type),
  });
  const assistants = ['Refund helper', 'Win-back writer', 'Daily digest', 'Chargeback watcher'].map((name, index) =>
    put('ai_assistants', 200 - index * 20, {
      ...usual(name, `${name}, an example`),
      settings: {
        assistant_instructions: 'Be brief and kind.',
        assistant_limits: { thread_max_tokens: 0, token_max_per_day: 0 },
        trigger_settings: {
          trigger: index === 2 ? 'schedule' : index === 3 ? 'account_event' : 'on_demand',
          ...triggerOf(index),
        },
      },
      flow: FLOW,
      third_party_integration: idAndName(integration),
    }),
  );
  const digest = assistants[2] as Value;
  writer.schedule('cron', String(digest.id), nextRun(triggerOf(2).schedule as Value, day + DAY - 1) as number);
  for (let number = 0; number < 40; number++) {
    const assistant = chance.pick(assistants);
    const thread = put('ai_threads', number, {
      live_mode: live,
      status: number === 0 ? 'Error' : 'Complete',
      ai_assistant_id: assistant.id,
      ai_assistant: idAndName(assistant),
      item_type: 'sale',
      item_id: made.sales[number % Math.max(1, made.sales.length)] ?? '',
      messages: [{ role: 'assistant', content: 'Done.' }],
    });
    const begun = Number(thread.created_date_unix);
    writer.schedule('forget_thread', String(thread.id), begun + KEPT_SECONDS);
    const created = begun + 60;
    // Leaves out memos that would expire on the day of the reset.
    if (memoEnd(created) < day + DAY) continue;
    const memo = put('ai_memos', 0, {
      created_date_unix: created,
      updated_date_unix: created,
      live_mode: live,
      status: chance.happens(0.4) ? 'read' : 'unread',
      subject: `Sale ${number + 1} looked at`,
      message: 'Nothing unusual was found.',
      ai_thread_id: thread.id,
      ai_assistant_id: assistant.id,
      ai_assistant: idAndName(assistant),
    });
    writer.schedule('forget_memo', String(memo.id), memoEnd(created));
  }
}

function triggerOf(index: number): Value {
  if (index === 2) return { schedule: { cron_expression: '0 7 * * *', cron_timezone: 'UTC' } };
  return index === 3 ? { account_event: eventOf('chargeback.created') } : {};
}

/** The triggers of an assistant, as reads show them. */
export function eventOf(notation: string, filters: Value = {}): Value {
  return {
    notation,
    filters: { campaign_filter: [], metadata_filter: [], status_filter: [], ...filters },
    filter_function: '',
    delay: { time_value: 1, time_unit: 'minutes' },
    limits: { max_run_count: 1, min_time_value: 30, min_time_unit: 'days' },
  };
}

/** The flow of an assistant, as a sequence. */
export function lineOf(nodes: readonly Value[]): Value[] {
  return inLine(nodes).map((node, index) => ({ ...node, position: { x_axis: index * 200, y_axis: 0 } }));
}

const FLOW = lineOf([
  { id: 'start', type: 'start_thread' },
  { id: 'step', type: 'action_step', node_settings: { step_message: 'Look at the item and write a short summary.' } },
  { id: 'end', type: 'action_end_thread' },
]);

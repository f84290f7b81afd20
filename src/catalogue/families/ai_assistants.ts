import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  anything,
  array,
  closedBody,
  each,
  flag,
  id,
  ids,
  integer,
  metadata,
  number,
  object,
  openObject,
  runItemTypes,
  text,
  texts,
  unix,
} from '../fields.js';
import { wordList } from '../references.js';
import type { Field } from '../types.js';

/** Event filters of an assistant (service.md#assistants); elements of the first seven are not documented. */
const eventFilters = {
  ...each(
    texts,
    'campaign_filter currency_filter gateway_filter method_filter shop_filter status_filter ai_assistant_filter',
  ),
  metadata_filter: { ...metadata, maxItems: 50 },
  ...each(
    ids,
    'customer_group_filter product_filter wallet_account_filter product_group_filter fulfillment_account_filter subscription_profile_filter project_filter payment_profile_filter',
  ),
  payment_type_filter: array({ ...text, enum: ['credit_card', 'wallet', 'check_direct', 'offline'] }),
  wallet_dispute_status_filter: array({
    ...text,
    enum: ['OPEN', 'WAITING_FOR_BUYER_RESPONSE', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'RESOLVED', 'OTHER'],
  }),
  wallet_dispute_reason_filter: array({
    ...text,
    enum: wordList(
      'MERCHANDISE_OR_SERVICE_NOT_RECEIVED MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED UNAUTHORISED CREDIT_NOT_PROCESSED DUPLICATE_TRANSACTION INCORRECT_AMOUNT PAYMENT_BY_OTHER_MEANS CANCELED_RECURRING_BILLING PROBLEM_WITH_REMITTANCE OTHER',
    ),
  }),
  product_type_filter: array({ ...text, enum: ['basic', 'subscription', 'subscription_only', 'trial', 'trial_only'] }),
  shipping_status_filter: array({ ...text, enum: ['shipped', 'notshipped', 'merged', 'delivered', 'error'] }),
  shipping_provider_filter: {
    ...texts,
    note: 'Carrier identifiers, the last one being other; their names are not documented.',
  },
  result_filter: array({ ...text, enum: ['approved', 'declined', 'error', 'held'] }),
} as const satisfies Record<string, Field>;

const assistantSettings = {
  assistant_instructions: { ...text, note: 'Shared by all threads.' },
  assistant_limits: object({
    thread_max_tokens: { ...integer, min: 0, default: 0, note: 'A thread stops above it; 0 is unlimited.' },
    token_max_per_day: { ...integer, min: 0, default: 0, note: 'In 24 hours; 0 is unlimited.' },
  }),
  trigger_settings: object({
    trigger: { ...text, enum: ['account_event', 'schedule', 'on_demand', ''] },
    account_event: object({
      notation: { ...text, emptyOk: true, note: 'An event but `invoice.created`; see `cops reference events`.' },
      filters: object(eventFilters),
      filter_function: {
        ...id,
        emptyOk: true,
        readFrom: 'settings.trigger_settings.account_event.filter_function.id',
        note: 'A function with source api_direct that answers pass or fail; an empty string removes it.',
      },
      delay: {
        ...object({
          time_value: { ...integer, min: 1, max: 10_080 },
          time_unit: { ...text, enum: ['minutes', 'hours', 'days'] },
        }),
        note: 'At most 7 days, 168 hours or 10080 minutes; 1 minute by default.',
      },
      limits: {
        ...object({
          max_run_count: { ...integer, min: 1, max: 100_000, default: 1 },
          min_time_value: { ...integer, min: 1, max: 100_000, default: 30 },
          min_time_unit: { ...text, enum: ['hours', 'days'], default: 'days' },
        }),
        note: 'Runs that one item can cause; the interval counts only above one run.',
      },
    }),
    schedule: object({
      cron_expression: { type: 'string', format: 'cron', note: 'Five parts; runs at least an hour apart.' },
      cron_timezone: { type: 'string', format: 'timezone', note: 'IANA name; UTC when never given.' },
    }),
  }),
} as const satisfies Record<string, Field>;

const incoming = object({
  connections: {
    ...array(
      object({
        node: { ...text, required: true },
        input: { ...text, required: true, enum: ['output_1', 'output_2', 'output_3', 'output_4'] },
      }),
    ),
    maxItems: 1,
  },
});
const outgoing = object({
  connections: {
    ...array(object({ node: { ...text, required: true }, output: { ...text, required: true, enum: ['input_1'] } })),
    maxItems: 1,
  },
});

const flow = {
  ...array(
    object({
      id: {
        ...text,
        required: true,
        minLength: 1,
        maxLength: 80,
        note: 'ASCII letters, digits, underscore, hyphen; unique in the flow.',
      },
      type: {
        ...text,
        required: true,
        enum: ['start_thread', 'action_step', 'action_branch', 'action_time_delay', 'action_end_thread'],
      },
      node_settings: object({
        step_message: { ...text, note: 'action_step: 1 to 20000 characters, not blank.' },
        output_1_message: { ...text, note: 'action_branch: required, 1 to 20000 characters, not blank.' },
        output_2_message: text,
        output_3_message: text,
        time_unit: { ...text, enum: ['minutes', 'hours', 'days'] },
        time_value: {
          ...text,
          format: 'digits',
          note: 'action_time_delay: 1 to 3 days, 72 hours or 4320 minutes, as a string.',
        },
      }),
      inputs: object({ input_1: incoming }),
      outputs: object({ output_1: outgoing, output_2: outgoing, output_3: outgoing, output_4: outgoing }),
      position: {
        ...object({
          x_axis: { ...number, min: -100_000, max: 100_000 },
          y_axis: { ...number, min: -100_000, max: 100_000 },
        }),
        note: 'Made up by the service when omitted.',
      },
    }),
  ),
  minItems: 1,
  maxItems: 250,
  onEdit: 'replaces',
  note: 'Replaces the whole flow.',
} as const satisfies Field;

export default {
  name: 'ai_assistants',
  summary: 'Assistants that run on events, schedules or on demand.',
  columns: 'id name enabled settings.trigger_settings.trigger=trigger created_date_unix',
  exampleId: 'cHZEd2wggu6KJENvyovw',
  nature: 'set-up',
  shape: 'spec',
  item: {
    id,
    name: text,
    description: text,
    enabled: flag,
    created_date_unix: unix,
    settings: openObject(assistantSettings),
    flow,
    third_party_integration: anything,
  },
  evidence: 'spec',
  operations: {
    list: {
      list: { style: 'paged', lastPage: 20 },
      rules: ['Page 20 is the last one served: at most 500 assistants are reachable.'],
    },
    get: {},
    create: {
      body: {
        complete: true,
        fields: {
          name: { ...text, required: true, common: true },
          description: text,
          enabled: { ...flag, common: true },
          settings: { ...object(assistantSettings), required: true },
          third_party_integration: {
            ...id,
            required: true,
            common: true,
            readFrom: 'third_party_integration.id',
            note: 'A user integration of type ai.',
          },
          flow: { ...flow, required: true },
        },
      },
      keyMinLength: 11,
      checks: ['assistant'],
      rules: [
        'Runs nothing until its trigger fires.',
        'A violation of the flow rules rejects the whole flow.',
        'The idempotency key has 11 to 255 characters here.',
      ],
      example:
        'ai-assistants create --name "Refund follow-up" --third-party-integration Sm5Cza7rFhZrQy9EzjKy -d settings.trigger_settings.trigger=on_demand -d flow:=\'[{"id":"start","type":"start_thread"}]\'',
    },
    edit: {
      body: {
        complete: true,
        asCreate: true,
      },
      keyMinLength: 11,
      checks: ['assistant'],
      rules: ['A sent flow replaces the whole flow.', 'Send enough of `settings` that nothing is lost.'],
      example: 'ai-assistants edit cHZEd2wggu6KJENvyovw --no-enabled',
    },
    trigger: {
      summary: 'Start an assistant that runs on demand',
      risk: 'money',
      body: closedBody({
        source_type: { ...text, enum: ['item'], note: 'Only for a run about one item.' },
        item_type: { ...text, common: true, enum: runItemTypes },
        item_id: { ...id, refersBy: { field: 'item_type' }, common: true },
        previous_ai_thread: { ...anyObject, note: 'Hands an earlier thread to the run.' },
        messages: array(anything),
      }),
      keyMinLength: 11,
      answerId: 'ai_thread_id',
      wait: {
        read: { family: 'ai_threads', action: 'get' },
        idFrom: 'ai_thread_id',
        field: 'status',
        done: ['complete'],
        failed: ['cancelled', 'error'],
        limitSeconds: 1800,
      },
      checks: ['assistant-trigger'],
      rules: [
        'Only for assistants whose trigger is `on_demand`.',
        'Real automation starts: mail, notes, functions and more may follow.',
        'Send an earlier thread or messages, not both.',
      ],
      example:
        'ai-assistants trigger cHZEd2wggu6KJENvyovw -d source_type=item -d item_type=sale -d item_id=eeGo2d9U7mrWv4XWv3Ne',
    },
    delete: { operationId: '', keyMinLength: 11, answerId: undefined },
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import {
  argumentNames,
  argumentValues,
  array,
  closedBody,
  flag,
  id,
  ids,
  integer,
  object,
  partlySeenBody,
  runItemTypes,
  text,
  texts,
  unix,
} from '../fields.js';
import { wordList } from '../references.js';
import type { Field } from '../types.js';

const eventSources = wordList('account_event api_direct email_template payment_profile function_url schedule');

/** Settings of a function, as written and as read (service.md#other-items). */
const settings = {
  name: { ...text, common: true, note: 'Unique among functions.' },
  description: text,
  enabled: { ...flag, common: true, note: 'False: cannot be triggered.' },
  event_source: { ...text, common: true, enum: eventSources },
  account_event_notations: { ...texts, note: 'Only for account_event; see `cops reference events`.' },
  account_event_filters: object({ campaign_filter: ids }),
  dependencies: {
    ...array(object({ name: { ...text, required: true }, version: text })),
    onEdit: 'replaces',
    note: 'Replaces the list.',
  },
  environment_variables: {
    ...array(object({ name: { ...text, required: true }, value: { ...text, secret: true }, encrypted: flag })),
    onEdit: 'upserts',
    note: 'Added or updated by name, never replaced as a whole.',
  },
  ip_restricted: { ...flag, note: 'Only for function_url.' },
  ip_whitelist: { ...array({ ...text, format: 'ipv4' }), note: 'Single addresses, no ranges.' },
  timing_options: {
    ...object({
      timing: { ...text, enum: ['immediate', 'delay'], default: 'immediate' },
      time_unit: { ...text, enum: ['minutes', 'hours'] },
      time_value: integer,
    }),
    note: 'Only for account_event; unit and value go with delay.',
  },
  cron_expression: { type: 'string', format: 'cron', note: 'Five parts; only for schedule.' },
  cron_timezone: { type: 'string', format: 'timezone', note: 'IANA name; UTC when never given.' },
  custom_arguments: {
    ...argumentNames,
    onEdit: 'replaces',
    note: 'Only for api_direct; replaces the list.',
  },
} as const satisfies Record<string, Field>;

export default {
  name: 'functions',
  summary: 'JavaScript functions that the service hosts and runs.',
  columns: 'id name enabled event_source created_date_unix',
  exampleId: 'gmCAZEZskQzkVTq9E3oZ',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  shape: 'spec',
  item: {
    id,
    ...settings,
    function_url: { ...text, format: 'url' },
    webhook_url: { ...text, format: 'url' },
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  instead: { enable: 'Use functions edit <id> --enabled.', disable: 'Use functions edit <id> --no-enabled.' },
  evidence: 'spec',
  operations: {
    list: { rules: ['The code is left out; `get` shows it.'] },
    get: { rules: ['The value of an encrypted variable is hidden.'] },
    create: {
      body: partlySeenBody({ name: { ...text, common: true, note: 'Unique among functions.' }, description: text }),
      wait: {
        read: { family: 'functions', action: 'get' },
        idFrom: 'function_id',
        field: 'id',
        done: ['*'],
        failed: [],
        atLeastSeconds: 30,
        limitSeconds: 300,
      },
      rules: [
        'Makes an empty shell: code, source and dependencies are set by `edit`.',
        'Its run environment is built in the background: wait 30 seconds or more before the first edit.',
      ],
      example: 'functions create --name "Check address"',
    },
    edit: {
      risk: 'money',
      body: closedBody({ ...settings, function_code: { ...text, note: 'JavaScript; must end through its callback.' } }),
      checks: ['function'],
      rules: [
        '`dependencies` and `custom_arguments` replace the whole list; `environment_variables` are added or updated by name.',
        'After a provisioning error wait 30 seconds and try again.',
        'A function of source payment_profile takes part in live payments.',
      ],
      example: 'functions edit gmCAZEZskQzkVTq9E3oZ -d event_source=schedule -d "cron_expression=0 6 * * *"',
    },
    trigger: {
      summary: 'Run a function',
      risk: 'money',
      body: closedBody({
        item_type: { ...text, common: true, enum: runItemTypes },
        item_id: { ...id, refersBy: { field: 'item_type' }, common: true },
        custom_arguments: {
          ...argumentValues,
          note: 'One value per argument that the function declares.',
        },
      }),
      checks: ['item-pair'],
      rules: [
        'Only for event source `api_direct`; a disabled function cannot be triggered.',
        'Read the declared `custom_arguments` first and give one value per name.',
      ],
      example:
        'functions trigger gmCAZEZskQzkVTq9E3oZ -d custom_arguments[0].name=threshold -d custom_arguments[0].value:=80',
      answerId: undefined,
    },
    delete: { operationId: '', answerId: undefined },
  },
} as const satisfies FamilySpec;

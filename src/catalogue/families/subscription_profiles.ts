import type { FamilySpec } from '../conventions.js';
import { closedBody, completeBody, flag, id, integer, object, openObject, text, unix, unseenBody } from '../fields.js';
import type { Field } from '../types.js';

/** Schedule and rules of a profile (service.md#subscription-profiles). */
const settings = {
  name: { ...text, common: true, note: 'Unique among profiles.' },
  description: text,
  enabled: { ...flag, common: true },
  frequency: {
    ...text,
    common: true,
    enum: ['unit', 'calendar', 'fiscal'],
    note: 'Its settings object goes in the same body.',
  },
  frequency_unit: {
    ...object({
      unit: {
        ...text,
        required: true,
        enum: ['days', 'weeks', 'months', 'years'],
        called: ['interval', 'interval unit', 'period', 'billing period'],
        implies: { interval: 'frequency=unit', 'interval unit': 'frequency=unit', period: 'frequency=unit' },
      },
      value: {
        ...integer,
        required: true,
        min: 1,
        readFrom: 'frequency_unit.unit_value',
        called: ['every', 'interval count'],
      },
    }),
    note: 'Only with frequency unit.',
  },
  frequency_calendar: {
    ...object({
      unit: { ...text, required: true, enum: ['day', 'week', 'month'] },
      value: { ...integer, required: true, min: 1, note: 'The nth.' },
      parent: { ...text, required: true, enum: ['week', 'month', 'year'] },
    }),
    note: 'Only with frequency calendar.',
  },
  frequency_fiscal: {
    ...object({
      unit: { ...text, required: true, enum: ['quarter', 'year'] },
      setting: { ...text, required: true, enum: ['standard', 'infrequent'] },
      value: { ...integer, min: 1, note: 'The nth; only with infrequent.' },
    }),
    note: 'Only with frequency fiscal.',
  },
  occurrences: { ...text, common: true, enum: ['indefinite', 'specific'], default: 'indefinite' },
  occurrences_value: { ...integer, common: true, min: 1, note: 'Most renewals when occurrences is specific.' },
  overdue_limit: { ...integer, common: true, min: 0, note: 'Overdue renewals before automatic suspension.' },
  prefer_gateway: object({ enabled: flag, lock_gateway: flag, max: { ...integer, min: 0 } }),
  shipping_profile: {
    ...id,
    nullable: true,
    emptyOk: true,
    common: true,
    note: 'Null or an empty string removes it; its first rate is used, and its rules are ignored.',
  },
  payment_profile: { ...id, common: true, note: 'Routes renewal payments.' },
} as const satisfies Record<string, Field>;

export default {
  name: 'subscription_profiles',
  summary: 'Schedules and rules that subscriptions share.',
  columns:
    'id name enabled frequency frequency_unit.unit_value=every frequency_unit.unit=unit occurrences overdue_limit subscription_specific:flag created_date_unix',
  exampleId: '2X3VV5CsUjpyXRT9BMAV',
  nature: 'set-up',
  risk: 'money',
  keys: [{ field: 'name', unique: true, source: 'service.md#subscription-profiles' }],
  shape: 'spec',
  item: {
    id,
    ...settings,
    frequency_unit: openObject({ unit: text, unit_value: integer }),
    subscription_specific: flag,
    subscription_id: id,
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  evidence: 'convention',
  operations: {
    list: {},
    get: {
      rules: ['Reads say `frequency_unit.unit_value` where writes say `frequency_unit.value`.'],
    },
    create: {
      body: closedBody({
        ...settings,
        subscription_specific: { ...flag, common: true, note: 'To give one subscription its own cycle.' },
      }),
      checks: ['subscription-profile-frequency'],
      rules: ['Fields beyond `frequency_unit` are those of the edit.'],
      example:
        'subscription-profiles create --name "Every two months" --frequency unit -d frequency_unit.unit=months -d frequency_unit.value=2',
      evidence: 'published',
    },
    edit: {
      body: completeBody(settings),
      preview: {
        show: 'name=profile frequency subscription_specific=for_one_subscription',
        says: ['A changed frequency affects all subscriptions that use the profile.'],
      },
      checks: ['subscription-profile-frequency', 'subscription-profile-reach'],
      rules: [
        'When `frequency` is sent, its settings object goes in the same body.',
        'The service ignores a settings object without the matching `frequency`, so it is refused here.',
        'A changed frequency affects all subscriptions that use the profile.',
        'With a shipping profile set, its first rate is used and its rules are ignored.',
      ],
      example:
        'subscription-profiles edit 2X3VV5CsUjpyXRT9BMAV --frequency unit -d frequency_unit.unit=weeks -d frequency_unit.value=6',
      evidence: 'spec',
    },
    delete: { body: unseenBody, rules: ['Its effect on subscriptions that use it is not documented.'] },
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  argumentNames,
  flag,
  id,
  integer,
  namedItem,
  namedObject,
  openObject,
  partlySeenBody,
  text,
  texts,
} from '../fields.js';

export default {
  name: 'email_templates',
  summary: 'Templates for outgoing mail.',
  columns: 'id name enabled template_trigger=trigger template_subject=subject created_date_unix',
  one: 'e-mail template',
  exampleId: 'epiBEtbNNti6dQmaRs8k',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: {
    ...namedItem,
    smtp_profile: namedObject,
    template_trigger: text,
    template_subject: text,
    template_from: text,
    template_to: texts,
    template_html: text,
  },
  operations: {
    list: { rules: ['The HTML is left out; `get` shows it.'] },
    get: { evidence: 'convention' },
    create: {
      body: partlySeenBody({
        name: { ...text, required: true, common: true, note: 'Unique among templates.' },
        smtp_profile: { ...id, required: true, common: true },
        template_subject: { ...text, required: true, common: true },
        template_from: { ...text, required: true, common: true, note: 'An address that the mail server may use.' },
        template_to: { ...texts, required: true, note: 'Addresses or address shortcodes.' },
        template_html: { ...text, required: true, common: true },
        template_trigger: {
          ...text,
          required: true,
          common: true,
          note: '`api_direct` is the only documented value.',
        },
        custom_arguments: { ...argumentNames, note: 'For api_direct templates.' },
      }),
      rules: [
        'Needs an active SMTP profile.',
        'Once enabled, a template triggered by an event sends mail automatically.',
      ],
      example:
        'email-templates create --name "Thanks" --smtp-profile C6YuFdBzfHQAKGKiJskf --template-subject "Thank you" --template-from shop@example.com -d template_to[0]=jane@example.com --template-html "<p>Thank you</p>" --template-trigger api_direct',
    },
    edit: {
      body: partlySeenBody({
        name: { ...text, common: true, note: 'Unique among templates.' },
        template_trigger: { ...text, note: '`api_direct` is the only documented value.' },
        timing: {
          ...openObject({ timing: text, time_unit: text, time_value: integer }),
          onEdit: 'replaces',
          note: 'Must be sent in full.',
        },
        filters: {
          ...anyObject,
          onEdit: 'merges',
          note: 'Send only the arrays to change; an empty array removes that filter.',
        },
        custom_data: { ...anyObject, onEdit: 'replaces', note: 'Must be sent in full.' },
        custom_arguments: {
          ...argumentNames,
          onEdit: 'replaces',
          note: 'Even an empty array replaces it.',
        },
      }),
      // The service is said to take the other fields of the create too; none of them is documented for the edit.
      assumed: {
        smtp_profile: id,
        template_subject: text,
        template_from: text,
        template_to: texts,
        template_html: text,
      },
      further: { enabled: flag },
      rules: ['A sent array replaces the old one.', '`timing` and `custom_data` must be sent in full.'],
      example: 'email-templates edit epiBEtbNNti6dQmaRs8k --name "Thank you"',
    },
    delete: { operationId: '', evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;

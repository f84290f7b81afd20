import type { FamilySpec } from '../conventions.js';
import {
  argumentValues,
  closedBody,
  customer,
  customerId,
  id,
  itemHead,
  namedObject,
  status,
  text,
  texts,
} from '../fields.js';

export default {
  name: 'smtp_messages',
  summary: 'Sent mail, and sending mail.',
  columns: 'id created_date_unix customer.email subject status',
  one: 'sent message',
  exampleId: 'dmuRXkFyRGKcYWAaRqJV',
  nature: 'event',
  onlyNamed: true,
  item: { ...itemHead, customer, subject: text, status },
  assumed: { email_template: namedObject },
  instead: { send: 'Use smtp-messages create, which sends at once.' },
  operations: {
    list: {
      operationId: 'GetSMTPMessages',
      list: { style: 'windowed', spanDays: 7 },
      query: { customer_id: customerId },
      rules: ['One window spans at most 7 days here.'],
      example: 'smtp-messages list --last 7d --customer MhGYLx9YDdWyXDDemdNw',
    },
    get: { operationId: '', evidence: 'convention' },
    create: {
      operationId: 'SendSMTPMessage',
      summary: 'Send mail from a template, at once',
      risk: 'money',
      body: closedBody({
        email_template_id: { ...id, required: true, common: true },
        to: { ...texts, note: 'Added to the recipients of the template, never in their place.' },
        item_type: { ...text, common: true },
        item_id: { ...id, refersBy: { field: 'item_type' }, common: true },
        custom_arguments: argumentValues,
      }),
      preview: { show: '', says: ['Sends real mail at once.'] },
      checks: ['item-pair'],
      rules: [
        'Sends real mail at once.',
        'The template must have the trigger `api_direct`; give a value for each argument it declares.',
      ],
      example:
        'smtp-messages create --email-template-id epiBEtbNNti6dQmaRs8k -d to[0]=jane@example.com -d custom_arguments[0].name=word -d custom_arguments[0].value=Hello',
      answerId: undefined,
    },
  },
} as const satisfies FamilySpec;

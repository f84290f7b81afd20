import { anything, customerId, id, text, texts } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'smtp_messages',
  summary: 'Mail that was sent, and sending it.',
  columns: [
    { path: 'id' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
    { path: 'customer.email', title: 'customer' },
    { path: 'subject' },
    { path: 'status', as: 'status' },
  ],
  idField: 'id',
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/smtp_messages',
      operationId: 'GetSMTPMessages',
      summary: 'List sent messages',
      risk: 'read',
      list: { style: 'windowed', spanDays: 7 },
      query: { customer_id: customerId },
      rules: ['One window spans at most 7 days here.'],
      example: 'smtp-messages list --last 7d --customer MhGYLx9YDdWyXDDemdNw',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/smtp_messages/{smtp_message_id}',
      operationId: '',
      summary: 'Show one sent message',
      risk: 'read',
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'smtp-messages get dmuRXkFyRGKcYWAaRqJV',
      evidence: 'convention',
    },
    {
      action: 'create',
      method: 'POST',
      path: '/smtp_messages',
      operationId: 'SendSMTPMessage',
      summary: 'Send mail by a template, at once',
      risk: 'money',
      body: {
        closed: true,
        complete: false,
        fields: {
          email_template_id: { ...id, required: true, common: true },
          to: { ...texts, note: 'Added to the recipients of the template, never in their place.' },
          item_type: { ...text, common: true },
          item_id: { ...id, common: true },
          custom_arguments: { type: 'array', items: anything },
        },
      },
      checks: ['item-pair'],
      rules: [
        'Sends real mail at once.',
        'The template must have the trigger `api_direct`; give a value for each argument that it declares.',
        'Further body fields exist that were not seen.',
      ],
      example: 'smtp-messages create --email-template-id epiBEtbNNti6dQmaRs8k -d to[0]=jane@example.com',
      evidence: 'published',
    },
  ],
} as const satisfies Family;

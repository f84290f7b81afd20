import type { FamilySpec } from '../conventions.js';
import { assumedHead, integer, namedItem, text, unseenBody } from '../fields.js';

export default {
  name: 'smtp_profiles',
  summary: 'Servers for outgoing mail.',
  columns: 'id name enabled created_date_unix',
  exampleId: 'C6YuFdBzfHQAKGKiJskf',
  nature: 'set-up',
  item: namedItem,
  evidence: 'convention',
  operations: {
    list: { operationId: '' },
    get: { operationId: '' },
    create: {
      operationId: 'CreateSMTPProfile',
      body: unseenBody,
      assumed: { ...assumedHead, secure_form_id: { ...text, unread: true } },
      further: { host: text, port: { ...integer, min: 1, max: 65_535 } },
      rules: ['Enter credentials through a secure form.', 'The sender is set in the template, not here.'],
      example: 'smtp-profiles create -d name="Main server"',
      evidence: 'published',
    },
    edit: {
      operationId: 'EditSMTPProfile',
      body: unseenBody,
      example: 'smtp-profiles edit C6YuFdBzfHQAKGKiJskf -d name="Main server"',
    },
    delete: { operationId: '', answerId: undefined },
  },
} as const satisfies FamilySpec;

import { cops, say } from '../../base/text/command-line.js';
import type { FamilySpec } from '../conventions.js';
import {
  address,
  campaignFilter,
  closedBody,
  completeBody,
  contact,
  creditCard,
  customer,
  id,
  idFilter,
  ids,
  metadata,
  newContact,
  object,
  partlySeenBody,
  text,
} from '../fields.js';
import { expectedCard } from '../relation-rules.js';
import type { Field } from '../types.js';

/** What an enabled customer may meet at once. */
const DUE_AT_ONCE = 'Renewals that fell due while the customer was disabled may be charged at once.';

/** What a question shows of the customer. */
const person = 'first_name last_name email=e-mail enabled blocked';
/** The card fields that a question shows. */
const card = 'type=kind last_4=last_four expiry_date=expires is_default=default';

/** The fields of an edit, read back from the top level of the item. */
const customerEdit: Record<string, Field> = Object.fromEntries(
  Object.entries(contact).map(([name, field]) => [name, { ...field, readFrom: name }]),
);

const cardColumns = [
  'id type last_4',
  { path: 'expiry_date', title: 'expires', means: 'month' },
  'is_default=default:flag enabled:flag',
] as const;

/** A new card alone changes nothing. */
const cardAdded = say`Renewals take the default card, which this one need not be: ${cops`customers payment-methods list <id>`} shows it, and ${cops`customers payment-methods set-default <id> <new>`} makes this one the default.`;

/** The fields that both ways of adding a card take. */
const newCard = {
  bill_to: { ...address, note: "The customer's own details when absent." },
  payment: { ...object({ credit_card: { ...creditCard, asked: true } }), asked: true, unread: true },
} as const satisfies Record<string, Field>;

export default {
  name: 'customers',
  summary: 'Customers, their groups and payment methods.',
  columns: 'id first_name last_name email enabled blocked:flag country created_date_unix',
  exampleId: 'MhGYLx9YDdWyXDDemdNw',
  examplePart: 'd5Mqb2avgTvir4wmzcPt',
  nature: 'people',
  keys: [
    { field: 'email', unique: false, source: 'nothing says that it is' },
    { field: 'internal_id', unique: false, source: 'nothing says that it is' },
  ],
  item: { ...customer.fields },
  assumed: { campaign_id: id, customer_group: ids },
  ruled: { card: { ...expectedCard, via: 'cards' } },
  instead: {
    delete: 'The service has no delete for customers: use customers disable.',
    cancel: say`Cancel each subscription separately: ${cops`subscriptions cancel <who>`}`,
    suspend: say`Suspend each subscription separately: ${cops`subscriptions suspend <who>`}`,
    renew: say`Renew each subscription separately: ${cops`subscriptions renew <who>`}`,
    refund: say`Refund a customer's payments: ${cops`customers show <who>`} lists it.`,
  },
  operations: {
    list: {
      query: { campaign_filter: campaignFilter, customer_group_filter: idFilter },
      rules: ['More filters exist; their names are not documented.'],
      example: 'customers list --last 30d --campaign HD5Dc7voDsVRj7XENW7a',
    },
    get: { rules: ['When the id is unknown: search first.'] },
    create: {
      body: completeBody({
        campaign: { ...text, required: true, common: true, nameOk: true, note: 'Campaign id or name.' },
        customer: { ...object(newContact), required: true },
        bill_to: { ...object(newContact), note: 'The customer object is used when absent.' },
        payment: { ...object({ credit_card: creditCard }), unread: true },
        internal_customer_id: { ...text, common: true, readFrom: 'internal_id', note: 'For your own records.' },
        metadata,
      }),
      noOther: true,
      checks: ['metadata'],
      rules: ['The first sale creates its customer automatically.'],
      example:
        'customers create --campaign HD5Dc7voDsVRj7XENW7a -d customer.first_name=Jane -d customer.last_name=Miller -d customer.email=jane@example.com',
      evidence: 'spec',
    },
    edit: {
      body: partlySeenBody({ customer: { ...object(customerEdit), required: true, onEdit: 'merges' } }),
      further: { bill_to: address, internal_customer_id: text },
      noOther: true,
      rules: ['Contact and address only; the changed fields go inside `customer`.'],
      example: 'customers edit MhGYLx9YDdWyXDDemdNw -d customer.phone=5550100',
    },
    enable: {
      summary: 'Enable a disabled or blocked customer',
      risk: 'money',
      preview: { show: person, says: [DUE_AT_ONCE], undo: 'Can be undone with customers disable.' },
      afterwards: say`${DUE_AT_ONCE} What was: ${cops`transactions list --last 1h --customer <id>`}`,
      rules: [DUE_AT_ONCE],
    },
    disable: {
      risk: 'money',
      preview: { show: person, says: ['Stops the normal activity of the customer; customers enable reverses it.'] },
      afterwards: say`This ends no subscription or trial: what is still active waits for customers enable, and may charge then. To list it: ${cops`subscriptions list --customer <id> --where status=active,overdue`} and ${cops`trials list --customer <id> --where status=active`}`,
      rules: ['Stops the normal activity of the customer; `enable` reverses it.'],
    },
    'add-to-group': {
      operationId: 'AddCustomerToGroup',
      summary: 'Add a customer to customer groups',
      risk: 'write',
      body: partlySeenBody({ customer_group: { ...ids, required: true, note: 'Customer group ids.' } }),
      rules: ['Joining a group can start automations.'],
      example: 'customers add-to-group MhGYLx9YDdWyXDDemdNw -d customer_group[0]=Hsy2HYa6bwSVSCoFAkDt',
    },
    'remove-from-group': {
      operationId: 'RemoveCustomerFromGroup',
      summary: 'Remove a customer from customer groups',
      risk: 'write',
      body: partlySeenBody({ customer_group: { ...ids, required: true, note: 'Customer group ids.' } }),
      rules: ['Leaving a group can start automations.'],
      example: 'customers remove-from-group MhGYLx9YDdWyXDDemdNw -d customer_group[0]=Hsy2HYa6bwSVSCoFAkDt',
    },
    search: {
      rules: [
        'Searches id, name, first address line, e-mail, internal id, IP address, phone, fingerprint and metadata values.',
        'At most 10 hits, without paging.',
      ],
      example: 'customers search jane@example.com',
    },
    'payment-methods list': {
      columns: cardColumns,
      list: { style: 'single' },
      rules: ['It is not documented whether this list is paged; it is read as a single answer.'],
      evidence: 'convention',
    },
    'payment-methods create': {
      summary: 'Add a payment method to a customer',
      risk: 'money',
      afterwards: cardAdded,
      body: partlySeenBody(newCard),
      rules: [
        'It is not documented that this path accepts a POST.',
        'Card data comes from a file, standard input or a prompt, never from the command line.',
      ],
      example: 'customers payment-methods create MhGYLx9YDdWyXDDemdNw --body @card.json',
      evidence: 'convention',
    },
    'payment-methods get': {
      columns: cardColumns,
      rules: ['The full card number is never returned.'],
      evidence: 'convention',
    },
    'payment-methods delete': {
      preview: { show: card, says: ['Its effect on subscriptions that use it is not documented.'] },
      evidence: 'convention',
    },
    'payment-methods disable': {
      risk: 'money',
      preview: { show: card, says: ['It is then not used for payments; enabling it again reverses this.'] },
      rules: ['It is then not used for payments; `payment-methods enable` reverses it.'],
      evidence: 'convention',
    },
    'payment-methods enable': {
      risk: 'money',
      preview: { show: card, says: ['It may be used for payments again.'] },
      evidence: 'convention',
    },
    'payment-methods set-default': {
      summary: "Make a payment method the customer's default",
      risk: 'money',
      preview: { show: card, says: ['Renewals, trial ends and salvage will use it.'] },
      rules: ['Renewals, trial ends and salvage use the default.'],
      evidence: 'convention',
    },
    'add-card': {
      operationId: 'AddCardToCustomer',
      summary: 'Add a card to a customer, by the older path',
      risk: 'money',
      afterwards: cardAdded,
      body: closedBody(newCard),
      rules: [
        'Only published pages mention it; the specification has `payment-methods create`.',
        'Card data comes from a file, standard input or a prompt, never from the command line.',
      ],
      example: 'customers add-card MhGYLx9YDdWyXDDemdNw --body @card.json',
    },
  },
} as const satisfies FamilySpec;

import { cops, say } from '../../base/text/command-line.js';
import type { FamilySpec } from '../conventions.js';
import { completeBody, id, text } from '../fields.js';

export default {
  name: 'notes',
  summary: 'Notes on items.',
  columns: 'id item_type item_id text',
  nature: 'event',
  item: { id, item_type: text, item_id: { ...id, refersBy: { field: 'item_type' } }, text },
  instead: {
    list: say`Notes are shown with their item; those of a customer and of what the customer bought: ${cops`customers show <who> --all`}`,
    add: say`A note on a customer: ${cops`customers note <who> "..."`}. On any other item: ${cops`notes create --item-type subscription --item-id <who> --text "..."`}`,
  },
  operations: {
    create: {
      body: completeBody({
        item_type: {
          ...text,
          required: true,
          common: true,
          enum: ['sale', 'customer', 'product_sale', 'shipping', 'subscription', 'subscription_renewal'],
        },
        item_id: { ...id, refersBy: { field: 'item_type' }, required: true, common: true },
        text: { ...text, required: true, common: true, minLength: 1, maxLength: 255 },
      }),
      rules: [
        "The note is also added to the item's customer.",
        'Notes are shown with their item; there is no list, edit or delete.',
      ],
      example: 'notes create --item-type customer --item-id MhGYLx9YDdWyXDDemdNw --text "Called about the invoice"',
    },
  },
} as const satisfies FamilySpec;

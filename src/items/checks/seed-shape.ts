import { z } from 'zod';
import { fileFormat } from './shape-faults.js';

/*
 * The format of a `sandbox seed` file, defined only here: its faults, its JSON Schema and its type derive from this.
 * The catalogue decides which other fields an entry accepts.
 */

const name = z.string().min(1);
const named = <Shape extends z.ZodRawShape>(fields: Shape, about: string) =>
  z.record(name, z.looseObject(fields)).optional().describe(about);

const seed = z.strictObject({
  version: z.literal(1),
  products: named(
    {
      subscription_profile: z
        .union([name, z.record(z.string(), z.unknown())])
        .optional()
        .describe('Its name or id, or its fields: it is then named after the product.'),
    },
    'Products by name, with fields of products create.',
  ),
  customers: named(
    {
      email: name.optional().describe("The customer's address; made from the name by default."),
      state: z.enum(['enabled', 'disabled']).optional(),
    },
    'Customers by a name of your choice, with the customer fields of customers create.',
  ),
  sales: named(
    {
      customer: name.describe('A customer in this file, or the e-mail address or id of an existing one.'),
      products: z.record(name, z.number().int().min(1)).describe('Products and quantities: {Coffee Club: 1}.'),
      state: z.enum(['paid', 'pending', 'declined', 'voided', 'refunded']).optional().describe('paid unless said.'),
    },
    'Sales by a name of your choice, with fields of sales create.',
  ),
  subscriptions: named(
    {
      customer: name.describe('As in sales.'),
      product: name.describe('A product with a subscription profile.'),
      state: z.enum(['active', 'overdue', 'suspended', 'cancelled']).optional().describe('active unless said.'),
    },
    'Subscriptions by a name of your choice, with fields of sales create for the sale that starts them.',
  ),
});

export type SeedFile = z.infer<typeof seed>;

export const SEED_FORMAT = fileFormat('A file of cops sandbox seed', seed);

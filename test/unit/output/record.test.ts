import { expect, test } from 'vitest';
import { one, show } from './helpers.js';

const RENEWAL = `{"id":"aaaaaaaaaaaaaaaaaaaa","created_date_unix":1769850000,"amount":100,"amount_gross":90.5,"amount_fees":1,
"iso_currency":"USD","live_mode":false,"description":"","payment_type":{"id":"KnQ0KlNE6kf5mobyV0pN","name":"Credit Card"},
"product":{"id":"p","name":"Box","quantity":2,"shipping_attributes":{"weight":"1.0"}},
"customer":{"id":"cccccccccccccccccccc","first_name":"Ann\\u001b[2J","email":"ann@example.com","phone":null},
"metadata":[{"name":"source","value":"ad"}],"sales":["ssssssssssssssssssss","tttttttttttttttttttt"],"invoices":[],
"rates":[{"rate":5.0,"zone":"x"}]}`;

test('a record is grouped, aligned and explained', async () => {
  const { text } = await show(one(RENEWAL), 'table', {}, { interactive: true, width: 100 });
  expect(text).toBe(`id                          aaaaaaaaaaaaaaaaaaaa
created_date_unix           2026-01-31 10:00 CET
iso_currency                USD
live_mode                   no
payment_type                Credit Card (KnQ0KlNE6kf5mobyV0pN)

AMOUNTS
amount                      100.00 USD
amount_gross                 90.50 USD  payments minus refunded payments
amount_fees                   1.00 USD  the processor's share of gross

CUSTOMER
id                          cccccccccccccccccccc
first_name                  Ann\\u001b[2J
email                       ann@example.com

PRODUCT
id                          p
name                        Box
quantity                    2
shipping_attributes.weight  1.0

METADATA
source                      ad

RATES
1                           rate: 5.0, zone: x

RELATED
sales                       ssssssssssssssssssss, tttttttttttttttttttt
`);
});

test('long keys of one group do not push away the values of another, and nested elements are told apart', async () => {
  const flow = `{"id":"aaaaaaaaaaaaaaaaaaaa","name":"Watcher",
"settings":{"trigger_settings":{"account_event":{"limits":{"min_time_value":30}}}},
"flow":[{"id":"start","outputs":{"output_one":{"connections":[{"node":"step","output":"input_1"}]}}},{"id":"step"}],
"gateways":[{"id":"gggggggggggggggggggg","name":"Main"}]}`;
  const { text } = await show(one(flow), 'table', {}, { interactive: true, width: 100 });
  expect(text).toBe(`id    aaaaaaaaaaaaaaaaaaaa
name  Watcher

SETTINGS
trigger_settings.account_event.limits.min_time_value  30

FLOW
1.id                              start
1.outputs.output_one.connections  node: step, output: input_1
2.id                              step

GATEWAYS
1     Main (gggggggggggggggggggg)
`);
});

test('explanations give way on a narrow terminal, values never do', async () => {
  const { text } = await show(one(RENEWAL), 'table', {}, { interactive: true, width: 40 });
  expect(text).not.toContain('payments minus');
  expect(text).toMatch(/\n {2}s{20},\n {2}t{20}\n/);
  expect(text).not.toMatch(/ $/m);
  expect(text).toContain('aaaaaaaaaaaaaaaaaaaa');
});

test('anything that is no object is shown as well', async () => {
  expect((await show(one('[1.0,"x"]'), 'table')).text).toBe('1.0, x\n');
  expect((await show(one('{}'), 'table')).text).toBe('');
});

test('a line to be pasted stays one, however narrow the screen', async () => {
  const next = `cops bulk resume /${'very-long-folder/'.repeat(6)}run.journal`;
  const told = 'Some rows are open still, and what became of them is to be looked up before they are sent again.';
  const { text } = await show(
    one(JSON.stringify({ next: [next, told] })),
    'table',
    {},
    { interactive: true, width: 60 },
  );
  expect(text.split('\n')).toContain(`  ${next}`);
  expect(text.split('\n').find((line) => line.includes('Some rows'))?.length).toBeLessThanOrEqual(60);
});

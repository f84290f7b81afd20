import { describe, expect, it } from 'vitest';
import { loadFamily } from '../../../src/catalogue/index.js';
import type { Operation } from '../../../src/catalogue/types.js';
import { parseJson } from '../../../src/items/json/parse-json.js';
import { serialise, type TreeObject } from '../../../src/items/json/tree.js';
import { bodyChanges, itemToBody, removedFrom } from '../../../src/service/body/body-changes.js';
import { ID, ID2 } from './entries.js';

const tree = (text: string): TreeObject => parseJson(text).value as TreeObject;
async function entry(family: string, action = 'edit'): Promise<Operation> {
  const found = (await loadFamily(family)).operations.find((candidate) => candidate.action === action);
  if (!found) throw new Error(`${family} has no ${action}`);
  return found;
}

describe('itemToBody', () => {
  it('writes unit_value as value and objects as ids', async () => {
    const item = tree(
      `{"id":"${ID}","created_date_unix":1,"name":"Monthly","enabled":true,"frequency":"unit","frequency_unit":{"unit_value":1,"unit":"months"},` +
        `"shipping_profile":{"id":"${ID2}","name":"x"},"payment_profile":"${ID}","overdue_limit":3,"unknown":5,"description":null}`,
    );
    expect(serialise(itemToBody(await entry('subscription_profiles'), item))).toBe(
      `{"name":"Monthly","enabled":true,"frequency":"unit","frequency_unit":{"unit":"months","value":1},"overdue_limit":3,` +
        `"shipping_profile":"${ID2}","payment_profile":"${ID}"}`,
    );
  });

  it('takes ids of objects by their readFrom and leaves secrets out', async () => {
    const item = tree(
      `{"code":1,"id":"${ID}","tracking_domain":{"id":"${ID}","name":"n","domain_name":"d"},"smtp_profile":{"id":"${ID2}","name":"s"},` +
        '"recaptcha":{"site_key":"site","secret_key":"SECRET"},"portal_urls":{"main":"https://x"},"customer_filters":{"campaign":[{"id":"' +
        `${ID}","name":"c"}],"third_party_shop":["${ID2}"]}}`,
    );
    const body = itemToBody(await entry('customer_portals'), item);
    expect(body).toEqual({
      tracking_domain: ID,
      smtp_profile: ID2,
      recaptcha: { site_key: 'site' },
      customer_filters: { campaign: [ID], third_party_shop: [ID2] },
    });
  });

  it('reads deep places, and a bare id where an object was expected', async () => {
    const item = (filter: string): TreeObject =>
      tree(
        `{"settings":{"trigger_settings":{"account_event":{"notation":"sale.created","filter_function":${filter}}}}}`,
      );
    const edit = await entry('ai_assistants');
    const body = {
      settings: { trigger_settings: { account_event: { notation: 'sale.created', filter_function: ID } } },
    };
    expect(itemToBody(edit, item(`{"id":"${ID}","name":"f"}`))).toEqual(body);
    expect(itemToBody(edit, item(`"${ID}"`))).toEqual(body);
  });

  it('leaves out lists whose elements hold secrets', async () => {
    const body = itemToBody(
      await entry('functions'),
      tree('{"name":"f","environment_variables":[{"name":"A","value":"v","encrypted":true}]}'),
    );
    expect(body).toEqual({ name: 'f' });
  });

  it('keeps digits', async () => {
    expect(
      serialise(
        itemToBody(await entry('shipping_profiles'), tree('{"rates":[{"rate":4.90,"provider":"x","id":"r"}]}')),
      ),
    ).toBe('{"rates":[{"rate":4.90,"provider":"x"}]}');
  });

  it('makes of any item of any family a body without faults of its own', async () => {
    expect(itemToBody(await entry('products'), null)).toEqual({});
    expect(itemToBody(await entry('products'), [])).toEqual({});
  });
});

describe('changesOf', () => {
  const before = tree(
    '{"name":"a","price":10.00,"tags":["x"],"frequency":"unit","frequency_unit":{"unit":"days","value":1},"o":{"a":1,"b":2}}',
  );
  it.each([
    ['{"name":"a","price":10.00}', '{}'],
    ['{"price":10.0}', '{}'],
    ['{"name":"b"}', '{"name":"b"}'],
    ['{"tags":["x","y"]}', '{"tags":["x","y"]}'],
    ['{"o":{"b":2,"a":1}}', '{}'],
    ['{"o":{"a":1}}', '{"o":{"a":1}}'],
    ['{"new":1.50}', '{"new":1.50}'],
    ['{"idempotency_key":"x"}', '{}'],
    [
      '{"frequency":"unit","frequency_unit":{"unit":"days","value":2}}',
      '{"frequency_unit":{"unit":"days","value":2},"frequency":"unit"}',
    ],
    [
      '{"frequency":"fiscal","frequency_fiscal":{"unit":"year","setting":"standard"}}',
      '{"frequency":"fiscal","frequency_fiscal":{"unit":"year","setting":"standard"}}',
    ],
    ['{"frequency":"unit","frequency_unit":{"unit":"days","value":1}}', '{}'],
    ['{"frequency":"unit","frequency_calendar":{"value":1}}', '{"frequency_calendar":{"value":1}}'],
  ])('%s', (after, expected) => {
    expect(serialise(bodyChanges(before, tree(after)))).toBe(expected);
  });

  it('sends the settings that stay with a frequency that comes back', () => {
    const calendar = tree('{"frequency":"calendar","frequency_unit":{"unit":"days","value":1}}');
    const after = tree('{"frequency":"unit","frequency_unit":{"unit":"days","value":1}}');
    expect(bodyChanges(calendar, after)).toEqual(after);
  });

  it('tells integers apart that differ in their last digit', () => {
    expect(serialise(bodyChanges(tree('{"n":12345678901234567890}'), tree('{"n":12345678901234567891}')))).toBe(
      '{"n":12345678901234567891}',
    );
  });

  it('names what was deleted', () => {
    expect(removedFrom(before, tree('{"name":"a","price":1,"tags":[]}'))).toEqual(['frequency', 'frequency_unit', 'o']);
  });
});

import { describe, expect, it } from 'vitest';
import { bodyFields } from '../../src/catalogue/body-fields.js';
import { allFamilies } from '../../src/catalogue/index.js';
import { ok } from '../fixtures/service/service.js';
import { pair } from './helpers.js';

/* `<family> <action> --schema`: the JSON Schema of a body, for editors and generators. */

const POSTS = (await allFamilies()).flatMap((family) =>
  family.operations.filter(({ method }) => method === 'POST').map((operation) => ({ family, operation })),
);

describe('--schema', () => {
  it('is printed for every write, with every field of its body, and sends nothing', async () => {
    const { service, home } = await pair(() => ok({}));
    for (const { family, operation } of POSTS) {
      const line = [family.name.replaceAll('_', '-'), ...operation.action.split(' ')];
      const ran = await home.run([...line, '--schema']);
      expect({ line, code: ran.code, stderr: ran.stderr }).toEqual({ line, code: 0, stderr: '' });
      const schema = JSON.parse(ran.stdout);
      expect(schema).toMatchObject({ $schema: expect.stringContaining('draft-07'), type: 'object' });
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(bodyFields(operation))));
      for (const name of schema.required ?? []) expect(schema.properties).toHaveProperty([name]);
    }
    expect(service.requests).toEqual([]);
  });

  it('says what a field may be', async () => {
    const { home } = await pair(() => ok({}));
    const { properties } = JSON.parse((await home.run(['sales', 'create', '--schema'])).stdout);
    expect(properties.iso_currency).toMatchObject({ type: 'string', pattern: '^[A-Z]{3}$' });
    expect(properties.credit_card).toMatchObject({ type: 'object', properties: expect.anything() });
    expect(properties.idempotency_key).toMatchObject({ minLength: 10, maxLength: 255 });
  });
});

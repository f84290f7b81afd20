/** A search that finds nothing at the service asks the list, within twelve requests, and says what was not read. */
import { expect, it } from 'vitest';
import { listHandler, ok } from '../../fixtures/service/service.js';
import { items, json, pair } from '../helpers.js';

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const person = <T extends object>(at: number, more: T) => ({
  ...{ id: `Person${String(at).padStart(14, '0')}`, created_date_unix: now - DAY - at, live_mode: false },
  ...more,
});
const PEOPLE = [
  person(1, { first_name: 'Emma', last_name: 'Larsen', company: 'Larsen & Sons', phone: '' }),
  person(2, { first_name: 'Sean', last_name: 'O\u2019Brien', company: '', phone: '+1 555-813-1033' }),
  person(3, { first_name: 'Zo\u00eb', last_name: 'Garc\u00eda', company: '', phone: '+44 20 7946 0018' }),
  person(4, { first_name: 'Lars', last_name: 'Sonderberg', company: 'Larsen Holding', phone: '555 000 0000' }),
];

/** The search knows words as they are spelled in last names alone; `others` people are newer than those above. */
async function account(others = 0) {
  const rest = items(others, now - 1, { first_name: 'Some', last_name: 'Body', company: '', phone: '' });
  const { service, home } = await pair((request) => {
    if (request.path.startsWith('/customers/search')) {
      const term = request.query.get('search_term') ?? '';
      return ok({ results: PEOPLE.filter(({ last_name: name }) => name === term).slice(0, 10) });
    }
    return listHandler({ items: [...rest, ...PEOPLE] })(request);
  });
  const search = async (term: string, ...more: string[]) => {
    const ran = await home.run(['customers', 'search', term, '-o', 'json', ...more]);
    expect(ran.code, ran.stderr).toBe(0);
    return { found: json<{ id: string }[]>(ran).map(({ id }) => Number(id.slice(6))), stderr: ran.stderr };
  };
  return { search, service };
}

it.each([
  ['Larsen & Sons', [1]],
  ['sons larsen', [1]],
  ["O'Brien", [2]],
  ['obrien', [2]],
  ['zoe garcia', [3]],
  ['Garcia, Zoe', [3]],
  ['(555) 813-1033', [2]],
  ['+1 555 813 1033', [2]],
  ['02079460018', [3]],
  ['555 813 1034', []],
  ['4420 79460018', [3]],
  ['nobody at all', []],
])('finds %j', async (term, expected) => {
  const { search, service } = await account();
  const { found } = await search(term);
  expect(found).toEqual(expected);
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('says what it did not read once twelve requests are made, with the line that reads all', async () => {
  const { search, service } = await account(400);
  const { found, stderr } = await search('Nobody & Sons');
  expect(found).toEqual([]);
  expect(service.requests).toHaveLength(12);
  expect(stderr).toMatch(/Not read: customers created before \d{4}-\d\d-\d\d/);
  expect(stderr).toContain('cops customers list --all-time --where company~Nobody --where company~Sons');
  expect(stderr).toMatch(/--where last_name~Sons.*--where company~Nobody/s);
});

it('reads no list for an address, an id or a number, nor where the search finds something', async () => {
  const { search, service } = await account();
  for (const term of ['jane@example.com', 'O-264', '4242', '4111 1111 1111 1111', 'Larsen']) await search(term);
  expect(service.requests.filter(({ path }) => !path.startsWith('/customers/search'))).toEqual([]);
  expect(service.requests).toHaveLength(5);
});

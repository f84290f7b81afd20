import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import { serialise } from '../../../src/items/json/tree.js';
import { type BodyIo, type BodySources, gatherBody } from '../../../src/service/body/gather.js';
import { create, open } from './entries.js';

function io(files: Record<string, string | Uint8Array> = {}): BodyIo {
  const bytes = (value: string | Uint8Array): Uint8Array => (typeof value === 'string' ? Buffer.from(value) : value);
  return {
    async readFile(path) {
      const file = files[path];
      if (file === undefined) throw Object.assign(new Error('nope'), { code: 'ENOENT' });
      return bytes(file);
    },
    async readStdin() {
      return bytes(files['-'] ?? '');
    },
  };
}

const gather = (sources: BodySources, files = {}, operation = create) => gatherBody(operation, sources, io(files));
const sent = async (sources: BodySources, files = {}, operation = create): Promise<string> =>
  serialise((await gather(sources, files, operation)).body);
async function fault(sources: BodySources, files = {}, operation = create): Promise<CopsError> {
  const error = await gather(sources, files, operation).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CopsError);
  return error as CopsError;
}

describe('-d path=value', () => {
  it.each([
    [['name=007'], '{"name":"007"}'],
    [['name='], '{"name":""}'],
    [['name=a=b:=c'], '{"name":"a=b:=c"}'],
    [['name=null'], '{"name":"null"}'],
    [['profile=null'], '{"profile":null}'],
    [['price=10.00'], '{"price":10.00}'],
    [['price=12345678901234567890.10'], '{"price":12345678901234567890.10}'],
    [['count=5'], '{"count":5}'],
    [['enabled=true'], '{"enabled":true}'],
    [['enabled=false'], '{"enabled":false}'],
    [['customer.email=a@b.c', 'customer.zip=01234'], '{"customer":{"email":"a@b.c","zip":"01234"}}'],
    [['rates[0].rate=5', 'rates[1].rate=6.50'], '{"rates":[{"rate":5},{"rate":6.50}]}'],
    [['rates[1].rate=6', 'rates[0].rate=5'], '{"rates":[{"rate":5},{"rate":6}]}'],
    [['tags[]=a', 'tags[]=1', 'tags[1]=2'], '{"tags":["a","2"]}'],
    [['rates:=[{"rate":10.10}]', 'rates[0].label=x'], '{"rates":[{"rate":10.10,"label":"x"}]}'],
    [['name=first', 'name=last'], '{"name":"last"}'],
    [['name=@@handle'], '{"name":"@handle"}'],
    [['name=@@@x'], '{"name":"@@x"}'],
    [['name:="07"'], '{"name":"07"}'],
  ])('%j gives %s', async (data, expected) => {
    expect(await sent({ data })).toBe(expected);
  });

  it('takes the text of a file as it is, and trims it where it is a number, an id or a secret', async () => {
    expect(await sent({ data: ['name=@f'] }, { f: ' a\r\nb\n' })).toBe('{"name":" a\\r\\nb\\n"}');
    expect(await sent({ data: ['count=@f'] }, { f: '5\r\n' })).toBe('{"count":5}');
    expect(await sent({ data: ['payment.credit_card.card_number=@f'] }, { f: '4111\n' })).toBe(
      '{"payment":{"credit_card":{"card_number":"4111"}}}',
    );
    expect(await sent({ data: ['rates:=@f.yaml'] }, { 'f.yaml': '- rate: 5.00\n' })).toBe('{"rates":[{"rate":5.00}]}');
    expect(await sent({ data: ['name=@-'] }, { '-': 'in' })).toBe('{"name":"in"}');
  });

  it('sends unknown fields of an open body as text and says so', async () => {
    const gathered = await gather({ data: ['qty=2', 'word=x', 'n:=2'] }, {}, open);
    expect(serialise(gathered.body)).toBe('{"qty":"2","word":"x","n":2}');
    expect(gathered.notes).toHaveLength(1);
    expect(gathered.notes[0]).toContain('qty');
  });

  it('names every fault at once', async () => {
    const error = await fault({
      data: ['price=1,5', 'count=x', 'enabled=yes', 'customer=x', 'novalue', 'a..b=1', 'rates[2].rate=1'],
    });
    expect(error.exitCode).toBe(2);
    expect(error.facts.faults?.map((entry) => entry.path)).toEqual([
      'price',
      'count',
      'enabled',
      'customer',
      '-d',
      '-d',
      'rates[0]',
      'rates[1]',
    ]);
  });

  it('names a long run of missing places by its ends', async () => {
    const error = await fault({ data: ['tags[0]=a', 'tags[9999]=b', 'tags[9997]=c'] });
    expect(error.facts.faults?.map((entry) => entry.path)).toEqual(['tags[1] to tags[9996]', 'tags[9998]']);
  });

  it.each([
    '__proto__.x=1',
    'customer.__proto__.x=1',
    'constructor.prototype.x=1',
    '=1',
    '.a=1',
    'a.=1',
    'a[=1',
    'a[-1]=1',
    'a[1.5]=1',
    '[0]=1',
    'a]b=1',
    'a[0]b=1',
    'a b=1',
    'tags[99999]=1',
    'name.x=1',
    'x:={"__proto__":{"y":1}}',
    'x:={',
    'x:=',
    'x:=007',
    'x:=undefined',
  ])('refuses %s', async (text) => {
    const error = await fault({ data: ['name=n', text] }, {}, open);
    expect(error.kind).toBe('usage');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(({} as Record<string, unknown>).y).toBeUndefined();
  });
});

describe('--body', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['a.json', '{"price":10.00,"n":12345678901234567890}', '{"price":10.00,"n":12345678901234567890}'],
    ['a.json', '\ufeff{"a":\r\n1}\r\n', '{"a":1}'],
    ['a.json', Buffer.from('\ufeff{"a":"é"}', 'utf16le'), '{"a":"é"}'],
    ['a.json', Buffer.from('{"a":"é"}', 'utf16le'), '{"a":"é"}'],
    ['a.json', Buffer.from('\ufeff{"a":"é"}', 'utf16le').swap16(), '{"a":"é"}'],
    [
      'a.yaml',
      'a: 10.00\nb: yes\nzip: 01234\nc: [1, two]\nd: 2026-01-01\ne:\n',
      '{"a":10.00,"b":"yes","zip":"01234","c":[1,"two"],"d":"2026-01-01","e":null}',
    ],
    ['a.YML', '\ufeffa: 0x1F\r\nb: 12345678901234567890\r\n', '{"a":"0x1F","b":12345678901234567890}'],
    ['a.yml', 'x: &x {k: 1}\ny: *x\n', '{"x":{"k":1},"y":{"k":1}}'],
  ])('reads %s', async (name, content, expected) => {
    expect(await sent({ body: `@${name}` }, { [name]: content })).toBe(expected);
  });

  it('reads JSON of the line and of standard input', async () => {
    expect(await sent({ body: '{"a":1.0}' })).toBe('{"a":1.0}');
    expect(await sent({ body: '-' }, { '-': '{"a":1}' })).toBe('{"a":1}');
  });

  it('lets -d win over --body and typed options over both', async () => {
    const sources = {
      body: '{"name":"a","code":"a","count":1}',
      data: ['name=b', 'code=b'],
      typed: { name: 'c', enabled: false },
    };
    expect(await sent(sources)).toBe('{"name":"c","code":"b","count":1,"enabled":false}');
  });

  it('takes no name that comes twice', async () => {
    await expect(gather({ body: '{"name":"a","name":"b"}' })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('knows the key of the user', async () => {
    expect((await gather({ body: '{"idempotency_key":"0123456789"}' })).ownKey).toBe('0123456789');
  });

  it.each<[string, string | Uint8Array]>([
    ['{x:1}', ''],
    ['[1]', ''],
    ['"x"', ''],
    ['{"a":1}x', ''],
    ['{"a":1,}', ''],
    ['', ''],
    ['@e.json', ''],
    ['@e.yaml', 'a: 1\na: 2\n'],
    ['@e.yaml', '- 1\n'],
    ['@e.yaml', 'a: [1\n'],
    ['@e.yaml', 'a: 1\n---\nb: 2\n'],
    ['@e.yaml', '['.repeat(100_000)],
    ['@e.yaml', '- '.repeat(100_000)],
    ['@e.yaml', '? '.repeat(100_000)],
    ['@e.yaml', Array.from({ length: 1500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['@e.json', `{"a":${'['.repeat(5000)}`],
    ['@e.yaml', 'a: &a [*a]\n'],
  ])('refuses unreadable text %#', async (body, content) => {
    expect((await fault({ body }, { [body.slice(1)]: content })).exitCode).toBe(2);
  });

  it.each<[string, Record<string, Uint8Array>]>([
    ['@bin', { bin: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]) }],
    ['@nul', { nul: Buffer.from('{"a":"\u0000b"}') }],
  ])('takes an unreadable %s for a local fault', async (body, files) => {
    expect((await fault({ body }, files)).exitCode).toBe(11);
  });

  it.each([
    ['an alias of nothing', 'name: *nowhere'],
    ['an alias before its anchor', 'name: *later\nother: &later x'],
    ['a merge key', 'base: &base {name: x}\nmore:\n  <<: *base'],
  ])('takes %s for a fault, never for null', async (_name, text) => {
    expect((await fault({ body: '@b.yaml' }, { 'b.yaml': text }, open)).exitCode).toBe(2);
  });

  it('stops aliases that multiply', async () => {
    let bomb = 'a0: &a0 [1,2,3,4,5,6,7,8,9,10]\n';
    for (let level = 1; level < 9; level += 1) bomb += `a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]\n`;
    expect((await fault({ body: '@b.yaml' }, { 'b.yaml': bomb })).exitCode).toBe(2);
  });

  it('refuses two readers of standard input', async () => {
    expect((await fault({ body: '-', data: ['name=@-'] }, { '-': '{}' })).exitCode).toBe(2);
    expect((await fault({ data: ['name=@-', 'code=@-'] }, { '-': 'x' })).exitCode).toBe(2);
  });
});

describe('secrets', () => {
  const CARD = '4111111111111111';
  it.each<[BodySources]>([
    [{ data: [`payment.credit_card.card_number=${CARD}`] }],
    [{ data: [`payment:={"credit_card":{"card_number":"${CARD}"}}`] }],
    [{ body: `{"payment":{"credit_card":{"card_number":"${CARD}"}}}` }],
    [{ data: [`credit_card.card_number=${CARD}`] }],
    [{ data: [`pin=${CARD}`] }],
    [{ typed: { pin: CARD } }],
    [{ data: [`a.b[0].secret_key=${CARD}`] }],
    [{ data: [`a.password:="${CARD}"`] }],
    [{ data: [`fields[0].value=${CARD}`] }],
    [{ data: [`third_party_credentials.fields[0].x=${CARD}`] }],
    [{ data: [`environment_variables[0].value=${CARD}`, 'environment_variables[0].encrypted:=true'] }],
    [{ data: ['environment_variables[0].encrypted:=true', `environment_variables[0].value=${CARD}`] }],
    [{ data: [`pin=${CARD}`, 'pin=@f'] }],
  ])('are refused on the command line: %j', async (sources) => {
    for (const operation of [create, open]) {
      if (operation === open && JSON.stringify(sources).includes('pin')) continue;
      const error = await fault(sources, { f: 'x' }, operation);
      expect(error.exitCode).toBe(2);
      expect(error.message).toContain('never taken from the command line');
      expect(JSON.stringify([error.message, error.facts])).not.toContain(CARD);
    }
  });

  it('come from files, standard input and prompts', async () => {
    const expected = `{"payment":{"credit_card":{"card_number":"${CARD}"}}}`;
    expect(await sent({ body: '@f' }, { f: expected })).toBe(expected);
    expect(await sent({ body: '-' }, { '-': expected })).toBe(expected);
    expect(await sent({ data: ['payment.credit_card.card_number=@-'] }, { '-': `${CARD}\n` })).toBe(expected);
    expect(await sent({ data: ['payment:=@f'] }, { f: `{"credit_card":{"card_number":"${CARD}"}}` })).toBe(expected);
  });

  it('are asked for where a person is there and something is missing', async () => {
    const asked: string[] = [];
    const asking = {
      ...io(),
      askSecret: async (path: string): Promise<string> => {
        asked.push(path);
        return ` ${CARD} `;
      },
    };
    const withCard = await gatherBody(create, { data: ['payment.credit_card.exp_month=5'] }, asking);
    expect(serialise(withCard.body)).toBe(`{"payment":{"credit_card":{"exp_month":5,"card_number":"${CARD}"}}}`);
    await gatherBody(create, { data: ['name=x'] }, asking);
    await gatherBody(create, { body: `{"payment":{}}` }, asking);
    expect(asked).toEqual(['payment.credit_card.card_number']);
    const open = await gatherBody(
      create,
      { data: ['payment.credit_card.exp_month=5'] },
      { ...asking, askSecret: async () => '' },
    );
    expect(serialise(open.body)).toBe('{"payment":{"credit_card":{"exp_month":5}}}');
  });

  it('never show in a message about bad text', async () => {
    const error = await fault({ body: `{"card_number":"${CARD}",x}` });
    expect(JSON.stringify([error.message, error.facts])).not.toContain(CARD);
  });
});

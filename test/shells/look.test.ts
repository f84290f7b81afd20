/** @module-tag tool */
/** How lists, records and waits look on a real terminal: narrow, dumb, without colour, resized, with hostile text. */
import { afterEach, expect, it } from 'vitest';
import { items, pair } from '../cli/helpers.js';
import type { Home } from '../cli/program.js';
import { type Handler, listHandler, ok } from '../fixtures/service/service.js';
import { Screen, type ScreenOptions } from './look-screen.js';
import { describeWith } from './tools.js';

const ESC = '\u001b';
/** What may reach a terminal besides text: colours and weights. */
const PAINT = /\u001b\[[0-9;]*m/g;

const open: Screen[] = [];
afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});

function look(home: Home, args: readonly string[], options: ScreenOptions = {}): Screen {
  const screen = new Screen(home, args, options);
  open.push(screen);
  return screen;
}

const NAMES = ['Plain', '東京タワー東京', '한국어 이름', 'Zürich', 'e\u0301clair', 'ﾊﾝｶｸ'];
const named = NAMES.map((name, at) => ({
  id: `CAMPAIGN${String(at).padStart(12, '0')}`,
  live_mode: false,
  name,
  status: ['active', 'cancelled', 'suspended'][at % 3],
  enabled: at % 2 === 0,
}));

const campaigns = (list: readonly Record<string, unknown>[] = named) => ({
  routes: { 'GET /campaigns': listHandler({ items: list, dated: false }) },
});

/** Cells of a terminal, by a rule of its own: East Asian letters take two, combining marks none. */
function cells(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/[\u0300-\u036f]/.test(letter)) continue;
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff01-\uff60]/.test(letter) ? 2 : 1;
  }
  return width;
}

const TABLE = ['campaigns', 'list', '--columns', 'id,name,status'];

describeWith('tmux', 'the look on a terminal', () => {
  it('aligns columns after wide and combining letters', async () => {
    const { home } = await pair(campaigns());
    const { code, lines } = await look(home, TABLE).ended();
    expect(code).toBe(0);
    const header = lines.findIndex((line) => line.startsWith('ID '));
    const column = cells(lines[header]?.split('STATUS')[0] ?? '');
    expect(column).toBeGreaterThan(20);
    for (const [at, { id, name, status }] of named.entries()) {
      const line = lines[header + 1 + at] ?? '';
      expect(line.startsWith(`${id}  ${name}`), line).toBe(true);
      expect(cells(line.slice(0, line.indexOf(String(status)))), line).toBe(column);
    }
  });

  it.each([40, 30])('no line is broken by a terminal of %i columns, and every id stays whole', async (columns) => {
    const { home } = await pair(campaigns());
    const screen = look(home, TABLE, { columns });
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    for (const { id, status } of named) {
      expect(lines.some((line) => line.includes(String(id)))).toBe(true);
      expect(lines.some((line) => line.includes(String(status)))).toBe(true);
    }
    expect(screen.broken()).toEqual([]);
  });

  it('colours say nothing that words do not, and go with NO_COLOR', async () => {
    const { home } = await pair(campaigns());
    const coloured = look(home, TABLE);
    const plain = look(home, TABLE, { env: { NO_COLOR: '1' } });
    const shown = await coloured.ended();
    expect((await plain.ended()).lines).toEqual(shown.lines);
    expect(coloured.raw()).toMatch(/\u001b\[3\dm/);
    expect(plain.raw()).not.toContain(ESC);
  });

  it('a dumb terminal gets plain text only, also from a slow call', async () => {
    const slow: Handler = (request) => ({ ...listHandler({ items: named, dated: false })(request), delayMs: 900 });
    const { home } = await pair({ routes: { 'GET /campaigns': slow } });
    const screen = look(home, TABLE, { env: { TERM: 'dumb' } });
    expect((await screen.ended()).code).toBe(0);
    expect(screen.raw()).not.toContain(ESC);
    expect(screen.raw()).not.toContain('Waiting');
  });

  it('a slow call shows a sign of life that leaves no trace', async () => {
    const slow: Handler = (request) => ({ ...listHandler({ items: named, dated: false })(request), delayMs: 1500 });
    const { home } = await pair({ routes: { 'GET /campaigns': slow } });
    const quick = await look((await pair(campaigns())).home, TABLE).ended();
    const screen = look(home, TABLE);
    await screen.shows('Waiting for the service');
    expect((await screen.ended()).lines).toEqual(quick.lines);
    const silent = look(home, [...TABLE, '-q']);
    await silent.ended();
    expect(silent.raw()).not.toContain('Waiting');
  });

  it('the sign of life never mixes with rows that are shown while later pages are read', async () => {
    const many = items(75).map((item, at) => ({ ...item, name: `Campaign ${at}` }));
    const list = listHandler({ items: many, dated: false });
    const handler: Handler = (request) => ({ ...list(request), delayMs: Number(request.query.get('page')) * 700 });
    const { home } = await pair({ routes: { 'GET /campaigns': handler } });
    const screen = look(home, ['campaigns', 'list', '--columns', 'id,name'], { rows: 90 });
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    expect(lines.filter((line) => /^ITEM\d{16} {2}Campaign \d+$/.test(line))).toHaveLength(75);
    const begun = screen.raw().indexOf('ITEM');
    expect(screen.raw().slice(0, begun)).toContain('Waiting');
    expect(screen.raw().slice(begun)).not.toContain('Waiting');
  });

  it('on a pipe the output holds no sign of life, and standard error gets it on the terminal only', async () => {
    const slow: Handler = (request) => ({ ...listHandler({ items: named, dated: false })(request), delayMs: 900 });
    const { home } = await pair({ routes: { 'GET /campaigns': slow } });
    const screen = look(home, [...TABLE, '-o', 'jsonl'], { tail: '2>/dev/null | cat' });
    await screen.ended();
    expect(screen.raw()).not.toContain(ESC);
    const other = look(home, [...TABLE, '-o', 'jsonl'], { tail: '2>&1 | cat' });
    await other.ended();
    expect(other.raw()).not.toContain('Waiting');
  });

  it('resizing in the middle breaks nothing', async () => {
    const slow: Handler = (request) => ({ ...listHandler({ items: named, dated: false })(request), delayMs: 1500 });
    const { home } = await pair({ routes: { 'GET /campaigns': slow } });
    const screen = look(home, TABLE);
    await screen.shows('Waiting for the service');
    screen.resize(40);
    await screen.shows('Waiting');
    screen.resize(60);
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    for (const { id } of named) expect(lines.filter((line) => line.includes(String(id)))).toHaveLength(1);
    expect(screen.broken()).toEqual([]);
    expect(lines.some((line) => line.includes('Waiting'))).toBe(false);
  });

  it.each(['table', 'json', 'jsonl', 'yaml', 'csv', 'tsv'])(
    'escape sequences of an item are inert with -o %s',
    async (format) => {
      const evil = {
        id: 'CAMPAIGN000000000001',
        live_mode: false,
        name: `a${ESC}]0;owned\u0007${ESC}[2J${ESC}[?1049h${ESC}[10;10Hb\u009b2J\rc\u0008\u0008d\u202ee`,
        [`key${ESC}[2J`]: `${ESC}c${ESC}P1;1|x${ESC}\\`,
      };
      const { home } = await pair({
        handler: (request) =>
          request.path === '/campaigns' ? listHandler({ items: [evil], dated: false })(request) : ok(evil),
      });
      for (const line of [['list'], ['get', evil.id]]) {
        const screen = look(home, ['campaigns', ...line, '-o', format]);
        const { code } = await screen.ended();
        expect(code).toBe(0);
        expect(screen.lines()[0]).toBe('BEFORE');
        expect(screen.fact('alternate_on')).toBe('0');
        expect(screen.fact('pane_title')).not.toContain('owned');
        const rest = screen.raw().replace(PAINT, '');
        expect(rest.replaceAll('\r\n', '\n')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      }
    },
  );

  it('a record with what was read along fits 40 columns', async () => {
    const id = 'SUBSCRIPTION00000001';
    const customer = { id: 'CUSTOMER000000000001', live_mode: false, email: 'jane@example.com', company: '東京タワー' };
    const renewal = { id: 'RENEWAL0000000000001', live_mode: false, amount_total: 10.5, iso_currency: 'JPY' };
    const { home } = await pair({
      routes: {
        'GET /subscriptions/:x': ok({
          id,
          live_mode: false,
          status: 'active',
          amount: 19.9,
          iso_currency: 'USD',
          customer: { id: customer.id, email: 'old@example.com' },
          subscription_renewals: [renewal.id],
        }),
        'GET /customers/:x': ok(customer),
        'GET /subscription_renewals/:x': ok(renewal),
      },
    });
    const screen = look(home, ['subscriptions', 'get', id, '--with', 'customer,renewals'], { columns: 40 });
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    for (const wanted of ['CUSTOMER', 'RENEWALS (1)']) expect(lines).toContain(wanted);
    for (const wanted of [customer.id, 'jane@example.com', '東京タワー', renewal.id, '19.90 USD', '10.5 JPY']) {
      expect(
        lines.some((line) => line.includes(wanted)),
        wanted,
      ).toBe(true);
    }
    expect(lines.some((line) => line.includes('old@example.com'))).toBe(false);
    expect(screen.broken()).toEqual([]);
  });
});

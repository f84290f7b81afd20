/** A bank's or gateway's file against transactions: nothing matched falsely, both sides the sum of their classes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Dice } from '../../sandbox/random-life.js';
import { at, mirrorOf } from '../../unit/report/mirror.js';
import { errorOf, home, json } from '../helpers.js';

const DAY = 86_400;
interface Charge {
  readonly id: string;
  readonly unix: number;
  readonly cents: number;
  readonly fee: number;
  readonly gatewayId: string;
  readonly auth: string;
  readonly last4: string;
  readonly currency?: string;
}
interface Line {
  readonly class: string;
  readonly by: string;
  readonly line: number | null;
  readonly amount: number | null;
  readonly own_amount: number | null;
  readonly transaction: string | null;
  readonly day: string | null;
  readonly own_day: string | null;
}
const idOf = (number: number): string => `Charge${String(number).padStart(14, '0')}`;

/** Charges from the middle of September to the middle of November. */
function charges(dice: Dice, count: number): Charge[] {
  return Array.from({ length: count }, (_, i) => ({
    id: idOf(i),
    unix: at('2026-09-20', 0) + dice.below(52 * 24 * 60) * 60,
    cents: dice.pick([1250, 2990, 4900, 1000 + dice.below(9000)]),
    fee: 30 + dice.below(200),
    gatewayId: String(12_000_000_000 + i * 7),
    auth: String(100_000 + dice.below(900_000)),
    last4: String(1000 + dice.below(400)),
  }));
}

async function account(
  all: readonly Charge[],
  orders: ReadonlyMap<string, string> = new Map(),
  refunds: readonly Pick<Charge, 'id' | 'unix' | 'cents'>[] = [],
) {
  const saleOf = (id: string): string => id.replace('Charge', 'SaleOf');
  const database = await mirrorOf(
    {
      transactions: all.map((one) => ({
        id: one.id,
        created_date_unix: one.unix,
        amount: one.cents / 100,
        amount_fees: one.fee / 100,
        amount_captured: one.cents / 100,
        result: 'approved',
        method: 'sale_create',
        gateway_transaction_id: one.gatewayId,
        gateway_auth_code: one.auth,
        gateway_name: 'Main',
        customer_card: { last_4: one.last4 },
        ...(one.currency ? { iso_currency: one.currency } : {}),
        ...(orders.has(one.id) ? { sales: [saleOf(one.id)] } : {}),
      })),
      ...(orders.size > 0
        ? {
            sales: [...orders].map(([id, order]) => ({
              id: saleOf(id),
              created_date_unix: at('2026-10-01'),
              internal_id: order,
            })),
          }
        : {}),
      ...(refunds.length > 0
        ? {
            pending_refunds: refunds.map(({ id, unix, cents }, i) => ({
              id: `Refund00${String(i).padStart(12, '0')}`,
              status: 'processed',
              amount: cents / 100,
              transaction: { id },
              created_date_unix: unix,
              processed_date_unix: unix,
            })),
          }
        : {}),
    },
    [],
    at('2026-12-01'),
  );
  const place = home({ TZ: 'UTC' });
  const run = (name: string, text: string, ...more: string[]) => {
    writeFileSync(path.join(place.folder, name), text);
    const words = [
      'reconcile',
      name,
      '--month',
      '2026-10',
      '--mirror',
      database.file,
      ...(more.includes('-o') ? [] : ['-o', 'json']),
      '--all',
      ...(more.includes('--tz') ? [] : ['--tz', 'UTC']),
    ];
    return place.run([...words, ...more], { cwd: place.folder, ...(more.includes('table') && { terminal: 80 }) });
  };
  return { run, place };
}

const isOctober = (unix: number): boolean => unix >= at('2026-10-01', 0) && unix < at('2026-11-01', 0);
const two = (cents: number, mark = '.'): string => (cents / 100).toFixed(2).replace('.', mark);
const iso = (unix: number): string => new Date(unix * 1000).toISOString();

/** The charges as rows of a file, with mistakes; the true charge of each row by its line. */
function planted(all: readonly Charge[], dice: Dice, errors: number) {
  const rows = all.map((charge) => ({ ...charge, charge, isOurs: true }));
  const october = rows.filter(({ unix }) => isOctober(unix));
  const wrong = new Set<object>();
  while (wrong.size < errors) {
    const row = dice.pick(october);
    if (wrong.has(row)) continue;
    wrong.add(row);
    const kind = dice.below(6);
    if (kind === 0) row.isOurs = false;
    if (kind === 1) row.cents += 1 + dice.below(500);
    if (kind === 2) row.fee += 1 + dice.below(50);
    if (kind === 3) row.unix += 31 * DAY;
    if (kind === 4) row.gatewayId = '';
    if (kind === 5) Object.assign(row, { gatewayId: '', auth: '' });
  }
  // Rows that are nobody's here.
  const strange = charges(dice, 20).map((one, i) => ({ ...one, gatewayId: `X${i}`, charge: undefined, isOurs: true }));
  const kept = [...rows.filter(({ isOurs }) => isOurs), ...strange].sort((a, b) => a.unix - b.unix);
  return { kept, truth: new Map(kept.map((row, i) => [i + 2, row.charge?.id])) };
}

function checked(
  lines: readonly Line[],
  truth: ReadonlyMap<number, string | undefined>,
  all: readonly Charge[],
  there: number,
) {
  const pairs = lines.filter((line) => line.line !== null && line.transaction !== null);
  expect(pairs.filter(({ line, transaction }) => truth.get(line as number) !== transaction)).toEqual([]);
  const cents = (value: number | null): number => Math.round((value ?? 0) * 100);
  // Every row of the file once, every charge of the month once.
  expect(
    lines
      .filter(({ line }) => line !== null)
      .map(({ line }) => line)
      .sort((a, b) => Number(a) - Number(b)),
  ).toEqual([...truth.keys()]);
  const own = lines.flatMap(({ transaction }) => transaction ?? []);
  expect(new Set(own).size).toBe(own.length);
  const month = all.filter(({ unix }) => isOctober(unix)).map(({ id }) => id);
  expect(month.filter((id) => !own.includes(id))).toEqual([]);
  expect(lines.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(there);
  return pairs.length / [...truth.values()].filter((id) => id !== undefined).length;
}

it('matches none falsely and 95 % of the true ones in single charges with 200 mistakes, whatever the form', {
  timeout: 60_000,
}, async () => {
  const dice = new Dice(5);
  const all = charges(dice, 1500);
  const { run } = await account(all);
  const { kept, truth } = planted(all, dice, 200);
  const there = kept.reduce((sum, { cents }) => sum + cents, 0);
  const plain = [
    'Transaction ID,Auth Code,Created,Gross,Fee,Currency,Card',
    ...kept.map((row) =>
      [row.gatewayId, row.auth, iso(row.unix), two(row.cents), two(row.fee), 'USD', `**** ${row.last4}`].join(','),
    ),
  ].join('\n');
  const ran = await run('plain.csv', plain);
  expect([ran.code, errorOf(ran).kind], ran.stderr).toEqual([10, 'incomplete']);
  const lines = json<Line[]>(ran);
  expect(checked(lines, truth, all, there)).toBeGreaterThan(0.95);
  const classes = new Set(lines.map((line) => line.class));
  for (const name of [
    'matched',
    'only there',
    'only here',
    'amount differs',
    'fee differs',
    'wrong month',
    'other month',
  ])
    expect(classes, name).toContain(name);
  expect(new Set(lines.map(({ by }) => by))).toContain('card and amount');

  // Another bank writes the same with semicolons, decimal commas, local days and a byte order mark.
  const day = (unix: number): string =>
    iso(unix + 7200)
      .slice(0, 16)
      .replace(/(\d+)-(\d+)-(\d+)T(.*)/, '$3.$2.$1 $4');
  const german = [
    'Transaktionsnummer;Autorisierungscode;Datum;Betrag;Gebühr;Währung;Karte',
    ...kept.map((row) =>
      [row.gatewayId, row.auth, day(row.unix), two(row.cents, ','), two(-row.fee, ','), 'USD', row.last4].join(';'),
    ),
  ].join('\r\n');
  const other = json<Line[]>(await run('german.csv', `\uFEFF${german}`, '--tz', 'Europe/Berlin'));
  const pairs = (some: readonly Line[]) =>
    some
      .filter(({ line, transaction }) => line !== null && transaction !== null)
      .map(({ line, transaction }) => `${line} ${transaction}`);
  expect(pairs(other).filter((pair) => truth.get(Number(pair.split(' ')[0])) !== pair.split(' ')[1])).toEqual([]);
  expect(pairs(other).length / pairs(lines).length).toBeGreaterThan(0.97);
});

it('never matches by amount alone, and reports rows with several matches', async () => {
  const base = { fee: 30, gatewayId: '', auth: '', cents: 1250 };
  const all = [
    { ...base, id: idOf(1), unix: at('2026-10-05'), last4: '1111' },
    { ...base, id: idOf(2), unix: at('2026-10-06'), last4: '1111' },
    { ...base, id: idOf(3), unix: at('2026-10-20'), last4: '2222' },
  ];
  const { run } = await account(all);
  const head = 'date,amount,currency,card';
  const several = json<Line[]>(
    await run('a.csv', [head, '2026-10-05,12.50,USD,1111', '2026-10-20,12.50,USD,2222'].join('\n')),
  );
  expect(several.map((line) => line.class).sort()).toEqual(['matched', 'unexplained', 'unexplained', 'unexplained']);
  const bare = json<Line[]>(await run('b.csv', [head, '2026-10-20,12.50,USD,'].join('\n')));
  expect(bare.map((line) => line.class).sort()).toEqual(['only here', 'only here', 'only here', 'only there']);
});

it('holds a file of batches against sums by day, marked so', async () => {
  const dice = new Dice(9);
  const all = charges(dice, 400);
  const { run } = await account(all);
  const sums = new Map<string, number>();
  for (const { unix, cents } of all)
    if (isOctober(unix)) sums.set(iso(unix).slice(0, 10), (sums.get(iso(unix).slice(0, 10)) ?? 0) + cents);
  const days = [...sums].sort();
  const file = (change: number) =>
    [
      'Payout ID,Date,Amount,Currency',
      ...days.map(([day, cents], i) => `P${i},${day},${two(cents + (i === 3 ? change : 0))},USD`),
    ].join('\n');
  const ran = await run('sums.csv', file(0));
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<Line[]>(ran)).toHaveLength(days.length);
  const lines = json<Line[]>(await run('sums.csv', file(1)));
  expect(new Set(lines.map(({ by }) => by))).toEqual(new Set(['sum only']));
  expect(lines.filter((line) => line.class !== 'matched').map((line) => line.class)).toEqual(['amount differs']);
});

/** Sums of October's charges by local day. */
function byDay(all: readonly Charge[], zone: string) {
  const dayOf = (unix: number) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(unix * 1000);
  const days = new Map<string, { gross: number; fee: number }>();
  for (const { unix, cents, fee } of all) {
    const day = dayOf(unix);
    if (!day.startsWith('2026-10')) continue;
    const sum = days.get(day) ?? { gross: 0, fee: 0 };
    days.set(day, { gross: sum.gross + cents, fee: sum.fee + fee });
  }
  return [...days].sort();
}

it('finds each mistake in payouts by batch with fees, and in a bank statement of another zone, none else', async () => {
  const dice = new Dice(17);
  const all = charges(dice, 900);
  const { run } = await account(all);
  const classesOf = (lines: readonly Line[]) =>
    lines.flatMap(({ class: kind, day, own_day }) => (kind === 'matched' ? [] : [[kind, day ?? own_day ?? '']]));

  const batches = byDay(all, 'UTC').map(([day, sums], i) => ({ day, ...sums, batch: `po_${i}` }));
  const wrong = new Map<string, string>();
  const told = batches.flatMap((one, i) => {
    if (i % 5 !== 2) return [one];
    const kind = ['amount differs', 'fee differs', 'only here'][Math.floor(i / 5) % 3] as string;
    wrong.set(one.day, kind);
    if (kind === 'only here') return [];
    return [kind === 'fee differs' ? { ...one, fee: one.fee + 1 } : { ...one, gross: one.gross - 100 }];
  });
  const gateway = [
    'Payout,Payout date,Gross,Fees,Net,Currency',
    ...told.map(({ batch, day, gross, fee }) => [batch, day, two(gross), two(-fee), two(gross - fee), 'USD'].join(',')),
  ].join('\n');
  const ran = await run('batches.csv', gateway);
  expect(ran.code, ran.stderr).toBe(10);
  expect(new Map(classesOf(json<Line[]>(ran)).map(([kind = '', day = '']) => [day, kind]))).toEqual(wrong);

  // The bank: what arrived, less fees, by the day in Berlin, with semicolons and decimal commas.
  const arrived = byDay(all, 'Europe/Berlin');
  const german = (day: string): string => day.split('-').reverse().join('.');
  const bank = [
    'Buchungstag;Verwendungszweck;Betrag;Währung',
    ...arrived.map(([day, { gross, fee }], i) =>
      [german(day), 'Auszahlung', two(gross - fee + (i === 6 ? 5 : 0), ','), 'USD'].join(';'),
    ),
  ].join('\r\n');
  const statement = json<Line[]>(await run('bank.csv', bank, '--tz', 'Europe/Berlin'));
  expect(classesOf(statement)).toEqual([['amount differs', arrived[6]?.[0]]]);
  expect(new Set(statement.map(({ by }) => by))).toEqual(new Set(['sum only', 'sum only, less fees']));
});

it('asks for what it cannot tell, and keeps columns under a name', async () => {
  const all = [
    { id: idOf(1), unix: at('2026-10-05'), cents: 1250, fee: 30, gatewayId: '77', auth: '1', last4: '1111' },
  ];
  const { run } = await account(all);
  const text = 'Nummer;Tag;Wert\n77;05.10.2026;12,50\n';
  expect((await run('c.csv', text)).code).toBe(2);
  const said = ['--map', 'id=Nummer', '--map', 'date=Tag', '--map', 'amount=Wert', '--currency', 'USD'];
  const kept = await run('c.csv', text, ...said, '--columns-as', 'bank');
  expect(kept.code, kept.stderr).toBe(0);
  const again = await run('c.csv', text, '--columns-as', 'bank', '--currency', 'USD');
  expect(json<Line[]>(again)).toMatchObject([{ class: 'matched', by: 'gateway id', transaction: idOf(1) }]);
  expect((await run('d.csv', 'id,date,amount,currency\n77,05/10/2026,12.50,USD\n')).code).toBe(2);
  expect((await run('d.csv', 'id,date,amount,currency\n77,05/10/2026,12.50,USD\n', '--dates', 'dmy')).code).toBe(0);
  const odd = json<Line[]>(
    await run('e.csv', 'id,date,amount,currency\n77,2026-10-05,12.505,USD\n,2026-10-05,x,USD\n'),
  );
  expect(odd.map((line) => line.class).sort()).toEqual(['only here', 'unexplained', 'unexplained']);
});

it('finds ids and order numbers by what columns hold, whatever they are called', async () => {
  const dice = new Dice(21);
  const all = charges(dice, 600);
  const orders = new Map(all.map(({ id }, i) => [id, `O-${1000 + i}`]));
  const { run } = await account(all, orders);
  const october = all.filter(({ unix }) => isOctober(unix));
  const strange = [
    'Transaction Reference,Booked,Money,Currency',
    ...october.map((one, i) => [one.gatewayId, iso(one.unix), two(one.cents + (i === 4 ? 100 : 0)), 'USD'].join(',')),
  ].join('\n');
  const said = ['--map', 'date=Booked', '--map', 'amount=Money'];
  const ids = await run('ids.csv', strange, ...said);
  expect(ids.stderr).toContain('id is "Transaction Reference"');
  const differing = (lines: readonly Line[]) =>
    lines.flatMap(({ class: kind, by, transaction }) => (kind === 'matched' ? [] : [[kind, by, transaction]]));
  expect(differing(json<Line[]>(ids))).toEqual([['amount differs', 'gateway id', october[4]?.id]]);

  // A bank: order numbers within a text, the day after, without two of them and with one of somebody else.
  const bank = [
    'Buchungstag;Mitteilung;Betrag;Währung',
    ...october.flatMap((one, i) =>
      i === 2 || i === 9
        ? []
        : [
            [iso(one.unix + DAY).slice(0, 10), `Zahlung ${orders.get(one.id)} Danke`, two(one.cents, ','), 'USD'].join(
              ';',
            ),
          ],
    ),
    '2026-10-12;Zahlung O-7 Danke;12,50;USD',
  ].join('\n');
  const ran = await run('bank.csv', bank);
  expect(ran.stderr).toContain('text is "Mitteilung"');
  const lines = json<Line[]>(ran);
  const byOrder = lines.filter(({ by }) => by === 'order number');
  expect(byOrder).toHaveLength(october.length - 2);
  expect(byOrder.filter(({ amount, own_amount: own }) => amount !== own)).toEqual([]);
  expect(
    differing(lines)
      .filter(([kind]) => kind !== 'wrong month')
      .map(([kind]) => kind)
      .sort(),
  ).toEqual(['only here', 'only here', 'only there']);
});

it('holds sums against the days that a bank takes to pay, and only in currencies that it has', async () => {
  const all = charges(new Dice(33), 700);
  const { run } = await account([
    ...all,
    { ...(all[0] as Charge), id: idOf(9000), unix: at('2026-10-09'), gatewayId: '7', currency: 'EUR' },
  ]);
  const days = byDay(all, 'UTC').filter(([day]) => day < '2026-10-30');
  const after = (day: string) => new Date(Date.parse(day) + 2 * DAY * 1000).toISOString().slice(0, 10);
  const bank = [
    'Date,Info,Amount,Currency',
    ...days.map(([day, { gross, fee }], i) =>
      [after(day), 'Payout', two(gross - fee + (i === 7 ? 9 : 0)), 'USD'].join(','),
    ),
  ].join('\n');
  const ran = await run('late.csv', bank);
  const lines = json<Line[]>(ran);
  expect(lines.filter(({ by }) => by === 'sum only, less fees, 2 days later')).toHaveLength(days.length - 1);
  expect(lines.filter(({ class: kind }) => kind === 'amount differs')).toMatchObject([
    { day: after(days[7]?.[0] ?? '') },
  ]);
  expect(ran.stderr).toContain('The file has USD only: 1 movement in EUR left out.');
  expect(errorOf(ran).hint).toContain("ask for a file with the gateway's transaction ids");
});

it('holds the sum of a Monday against those of its weekend, and a day with a refund against all its fees', async () => {
  const all = charges(new Dice(41), 700);
  const october = all.filter(({ unix }) => isOctober(unix));
  const back = october.filter((_, i) => i % 40 === 3).map(({ id, unix }) => ({ id, unix: unix + 60, cents: 100 }));
  const { run } = await account(all, new Map(), back);
  const paid = new Map(byDay(all, 'UTC').map(([day, { gross, fee }]) => [day, gross - fee]));
  for (const { unix, cents } of back) {
    const day = iso(unix).slice(0, 10);
    paid.set(day, (paid.get(day) ?? 0) - cents);
  }
  // Friday to Sunday arrive on Monday, every other day on the next.
  const arrived = new Map<string, number>();
  for (const [day, sum] of [...paid].filter(([one]) => one < '2026-10-30')) {
    const on = new Date(Date.parse(day) + DAY * 1000);
    while ([0, 6].includes(on.getUTCDay())) on.setUTCDate(on.getUTCDate() + 1);
    const key = on.toISOString().slice(0, 10);
    arrived.set(key, (arrived.get(key) ?? 0) + sum);
  }
  const wrong = [...arrived.keys()][9] as string;
  const bank = ['Date,Info,Amount,Currency'];
  for (const [day, sum] of arrived) bank.push([day, 'Payout', two(sum + (day === wrong ? 7 : 0)), 'USD'].join(','));
  const lines = json<Line[]>(await run('banking-days.csv', bank.join('\n')));
  expect(lines.filter(({ by }) => by === 'sum only of 3 days, less fees, 1 day later').length).toBeGreaterThan(2);
  const odd = lines.filter(({ class: kind, day }) => kind !== 'matched' && day);
  expect(odd).toMatchObject([{ class: 'amount differs', day: wrong }]);
});

it("finds the gateway's ids inside texts, whatever column the line names instead", async () => {
  const all = charges(new Dice(55), 300);
  const { run } = await account(all);
  const october = all.filter(({ unix }) => isOctober(unix));
  const bank = [
    'Tag;Name;Zweck;Betrag;Währung',
    ...october.map((one, i) => {
      const ref = i === 3 ? '13149999999' : i % 2 ? one.gatewayId : one.id;
      const cents = one.cents + (i === 5 ? 150 : 0);
      return `${iso(one.unix).slice(0, 10)};Laden;Umsatz Ref. ${ref} / ${one.last4} danke;${two(cents, ',')};USD`;
    }),
  ].join('\n');
  const dated = ['--map', 'date=Tag', '--map', 'amount=Betrag'];
  for (const more of [[], ['--map', 'id=Zweck'], ['--map', 'text=Name'], ['--map', 'id=Name']]) {
    const ran = await run('bank.csv', bank, ...dated, ...more);
    const differing = json<Line[]>(ran).filter(({ class: kind }) => kind !== 'matched' && kind !== 'other month');
    expect(differing).toMatchObject([
      { class: 'amount differs', by: 'id in text', transaction: october[5]?.id },
      { class: 'only there', line: 5 },
      { class: 'only here', transaction: october[3]?.id },
    ]);
    const strange = `0 of ${october.length} values of "Name" are known here`;
    expect(ran.stderr.includes(strange)).toBe(more.some((word) => word.endsWith('=Name')));
  }
});

it('matches a file without days by its ids alone, and takes it to be of the month', async () => {
  const all = charges(new Dice(41), 200);
  const { run } = await account(all);
  const october = all.filter(({ unix }) => isOctober(unix));
  const rows = october
    .slice(1)
    .map((one, i) => `${one.gatewayId},${two(one.cents + (i === 0 ? 5 : 0))},USD,${one.last4}`);
  const other = all.find(({ unix }) => !isOctober(unix)) as Charge;
  const text = [
    'Transaction,Amount,Currency,Last 4',
    ...rows,
    `${other.gatewayId},${two(other.cents)},USD,${other.last4}`,
    `X1,9.99,USD,${october[0]?.last4}`,
  ];
  const ran = await run('ids.csv', `${text.join('\n')}\n`);
  expect(ran.code, ran.stderr).toBe(10);
  const count = (name: string) => json<Line[]>(ran).filter((line) => line.class === name).length;
  const found = ['matched', 'amount differs', 'wrong month', 'only there', 'only here'].map(count);
  expect(found).toEqual([october.length - 2, 1, 1, 1, 1]);
  expect(json<Line[]>(ran).every(({ line, day }) => line === null || day === null)).toBe(true);
  const sums = await run('sums.csv', 'Amount,Currency\n12.50,USD\n');
  expect(errorOf(sums).message).toContain('none has ids or order numbers');
});

it('tells the days that a file does not have, and ids of payments in another currency', async () => {
  const all = charges(new Dice(77), 300);
  const { run } = await account(all);
  const early = all.filter(({ unix }) => isOctober(unix) && iso(unix) < '2026-10-16');
  const rows = early.map((one, i) => [
    iso(one.unix).slice(0, 10),
    i % 2 ? one.id : one.gatewayId,
    two(one.cents),
    i === 4 ? 'EUR' : 'USD',
  ]);
  const bank = [['Date', 'Reference', 'Amount', 'Currency'], ...rows].map((cells) => cells.join(',')).join('\n');
  const whole = await run('bank.csv', bank);
  const here = json<Line[]>(whole).filter(({ class: kind }) => kind === 'only here');
  expect(whole.stderr).toContain(`${here.length} of ${here.length} only here are of other days`);
  expect(whole.stderr).toMatch(/alone: cops reconcile bank\.csv .*--from 2026-10-01 --to 2026-10-15/);
  const odd = json<(Line & { reference: string })[]>(whole).filter(({ class: kind }) => kind === 'amount differs');
  expect(odd).toMatchObject([{ by: 'gateway id, in USD here', reference: early[4]?.gatewayId }]);
});

it('matches a line that the file has twice once, and names the line that the other repeats', async () => {
  const all = charges(new Dice(23), 300);
  const { run } = await account(all);
  const october = all.filter(({ unix }) => isOctober(unix));
  const line = (one: Charge, day: number, change = 0) =>
    [
      one.gatewayId,
      iso(one.unix + day * DAY).slice(0, 10),
      two(one.cents),
      two(one.fee + change),
      'USD',
      one.last4,
    ].join();
  const card = (one: Charge) => ['', iso(one.unix).slice(0, 10), two(one.cents), two(one.fee), 'USD', one.last4].join();
  const alone = october.findLast(({ cents }) => all.filter((one) => one.cents === cents).length === 1) as Charge;
  const [first, second, third] = october.filter((one) => one !== alone).sort((a, b) => a.unix - b.unix) as [
    Charge,
    Charge,
    Charge,
  ];
  const text = [
    'Transaction ID,Created,Gross,Fee,Currency,Card',
    ...october.filter((one) => one !== alone).map((one) => line(one, 0, one === third ? 5 : 0)),
    card(alone),
    card(alone),
    line(first, 1),
    line({ ...second, cents: second.cents + 1 }, 0),
  ];
  const ran = await run('twice.csv', text.join('\n'));
  const found = json<Line[]>(ran).filter(({ class: kind }) => !['matched', 'other month'].includes(kind));
  const at = october.length + 1;
  const doubled = found.filter(({ class: kind }) => kind === 'doubled line');
  expect(doubled).toMatchObject([
    { by: `as line ${at}`, line: at + 1, transaction: null },
    { line: at + 2, transaction: null },
  ]);
  expect(text[Number(doubled[1]?.by.split(' ').at(-1)) - 1]).toBe(line(first, 0));
  // Two amounts under one id: nothing says which is right.
  expect(found.filter(({ class: kind }) => kind === 'unexplained')).toHaveLength(3);
  const table = await run('twice.csv', text.join('\n'), '-o', 'table', '--no-pager', '-y');
  expect(table.stdout).toMatch(/OWN FEE/);
  expect(table.stdout).toContain(two(third.fee + 5));
});

// Items as a live service shows them: no two alike, texts in several scripts, objects that are absent or empty, lists of
// several lengths, fields that only come late. The same number always gives the same item.
const FIRST =
  'Ann,Björn,Chloé,Dmitri,Eva,François,Grace,Håkon,Ines,Jürgen,Karolína,Łukasz,Mei,Núria,Olga,Priya,Quinn,Rosa,Søren,Tomás'.split(
    ',',
  );
const LAST =
  "O'Neil,Müller,García,Nguyễn,Smith,Ødegård,Kowalski,Иванова,李,Fernández,van der Berg,Dvořák,Okafor,Yılmaz,Haddad,Larsson".split(
    ',',
  );
const WORDS =
  'spring,sale,gold,starter,annual,premium,box,coffee,refill,vitamin,serum,trial,bundle,ready,travel,kit,daily,glow,pro,mini'.split(
    ',',
  );
const CITIES = [
  ['Berlin', 'BE', 'DEU'],
  ['Austin', 'TX', 'USA'],
  ['São Paulo', 'SP', 'BRA'],
  ['Kraków', 'MA', 'POL'],
  ['Lyon', 'ARA', 'FRA'],
  ['Osaka', '大阪', 'JPN'],
  ['Toronto', 'ON', 'CAN'],
];
const CURRENCIES = ['USD', 'USD', 'USD', 'EUR', 'EUR', 'GBP', 'JPY', 'KWD'];
const PAYMENTS = [
  ['credit_card', 'Credit card'],
  ['credit_card', 'Credit card'],
  ['credit_card', 'Credit card'],
  ['paypal', 'PayPal'],
  ['wallet', 'Wallet'],
];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LISTS = ['transactions', 'invoices', 'discounts', 'shipping', 'tax', 'subscription_renewals'];
const DAY = 86_400;

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
function chances(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function amounts(chance) {
  const amount = Number((chance() * 200).toFixed(2));
  const fees = amount * 0.029;
  const refunded = chance() < 0.07 ? amount / 2 : 0;
  const text = (name, value, digits = 2) => `"amount${name}":${value.toFixed(digits)}`;
  return [
    text('', amount),
    text('_original_total', amount + refunded),
    text('_total', amount),
    text('_gross', amount - refunded),
    text('_net', amount - refunded - fees, 4),
    text('_fees', fees, 4),
    text('_captured', amount),
    text('_settled', chance() < 0.8 ? amount : 0),
    text('_remaining', chance() < 0.1 ? amount / 3 : 0),
    text('_refunded', refunded),
  ];
}

function personOf({ one, upTo, digits, phrase }, chance) {
  const [city, state, country] = one(CITIES);
  return {
    first_name: one(FIRST),
    last_name: one(LAST),
    email: `${digits(5)}.${one(WORDS)}@${one(WORDS)}.example.com`,
    phone: chance() < 0.6 ? `+${digits(11)}` : null,
    address_line_1: `${1 + upTo(400)} ${phrase(1)} ${one(LAST)}`,
    ...(chance() < 0.2 ? { address_line_2: `Apt. ${upTo(90)}` } : {}),
    city,
    state,
    zip: digits(5),
    country,
  };
}

/**
 * The JSON text of item `i` of `count`, made at `unix`: 1.5 kB and 58 leaves, or with `wide` 2.2 kB and 76. One in thirty
 * has a number of 20 digits, and fields that no early item has come in the second half.
 */
export function itemText(i, count, unix, wide) {
  const chance = chances(i);
  const one = (list) => list[Math.floor(chance() * list.length)];
  const upTo = (most) => Math.floor(chance() * most);
  const id = () => Array.from({ length: 20 }, () => LETTERS[upTo(62)]).join('');
  const digits = (length) => Array.from({ length }, (_, at) => (at === 0 ? 1 + upTo(9) : upTo(10))).join('');
  const money = (most) => (chance() * most).toFixed(2);
  const phrase = (least) => Array.from({ length: least + upTo(3) }, () => one(WORDS)).join(' ');
  const pairs = () =>
    Array.from({ length: upTo(3) }, () => ({ name: one(WORDS), value: `${phrase(1)} "${upTo(1000)}"\n${one(LAST)}` }));
  const [payment, paymentName] = one(PAYMENTS);
  const campaign = upTo(40);
  const product = upTo(300);
  const text = (value) => JSON.stringify(value);
  const person = personOf({ one, upTo, digits, phrase }, chance);
  const members = [
    `"id":"${id()}"`,
    `"created_date_unix":${unix}`,
    `"updated_date_unix":${unix + upTo(30 * DAY)}`,
    ...amounts(chance),
    `"iso_currency":"${one(CURRENCIES)}"`,
    '"live_mode":false',
    `"campaign_id":"camp${String(campaign).padStart(16, '0')}"`,
    `"campaign_name":${text(`${WORDS[campaign % 20]} "${campaign}" – ${LAST[campaign % 16]}`)}`,
    `"payment_type":{"id":"${payment}","name":"${paymentName}"}`,
    `"product":{"id":"prod${String(product).padStart(16, '0')}","name":${text(`${WORDS[product % 20]} ${WORDS[(product * 7) % 20]} № ${product}`)},` +
      `"quantity":${1 + upTo(3)},"price":${money(90)},"is_subscription":${chance() < 0.8},"is_trial":${chance() < 0.1},` +
      `"internal_id":${chance() < 0.5 ? `"${digits(20)}"` : 'null'},"sku":"SKU-${product}"}`,
    ...(chance() < 0.4 ? [`"third_party_shop":{"id":"${id()}","name":${text(`${one(LAST)} & Co`)}}`] : []),
    `"billing":{"next_renewal_date_unix":${chance() < 0.2 ? 0 : unix + 30 * DAY},"last_renewal_date_unix":${unix - 30 * DAY},"last_renewal_id":"${id()}"}`,
    `"is_overdue":${chance() < 0.15}`,
    `"subscription_id":"${id()}"`,
    `"metadata":${text(pairs())}`,
    `"customer":{"id":"${id()}","enabled":true,"blocked":${chance() < 0.02},${text(person).slice(1, -1)},"created_date_unix":${unix - upTo(900 * DAY)}}`,
    `"sales":["${id()}"]`,
    ...LISTS.map((name) => `"${name}":[${chance() < (name === 'transactions' ? 0.7 : 0.08) ? `"${id()}"` : ''}]`),
    `"attempt":{"number":${1 + upTo(4)},"result":"${chance() < 0.8 ? 'approved' : 'declined'}","code":"${digits(3)}","message":${text(phrase(2))}}`,
  ];
  if (chance() < 1 / 30) members.push(`"processor_number":${digits(20)}`);
  if (i > count / 2 && chance() < 0.02) members.push(`"risk":{"score":${upTo(100)},"note":${text(phrase(3))}}`);
  if (wide) {
    members.push(
      `"ship_to":${text({ ...person, company: `${one(LAST)} GmbH` })}`,
      `"subscription_profile":{"id":"${id()}","name":${text(phrase(2))},"interval_days":${one([7, 14, 30, 90])},"attempts":${upTo(9)},` +
        `"discount":${money(20)},"enabled":true,"description":${text(phrase(28))}}`,
      `"notes":[${Array.from({ length: upTo(3) }, () => `{"unix":${unix + upTo(DAY)},"text":${text(phrase(6))}}`).join(',')}]`,
    );
  }
  return `{${members.join(',')}}`;
}

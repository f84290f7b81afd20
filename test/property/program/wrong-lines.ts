/** Lines as people type them who know the trade, or another tool, and not this one. */
import { FAMILY_INDEX } from '../../../src/catalogue/index.js';

const ID = 'ABCDEFGHIJ0123456789';
const words = (text: string): string[] => text.trim().split(/\s+/);

const FAMILIES = words(
  'customers subscriptions sales products transactions trials coupons smtp-messages invoices events',
);
/** What people call families. */
const NOUNS = words('orders subs members payments cards refunds plans disputes parcels vouchers users emails');
const VERBS = words(`
  show view find count describe pause stop resume add remove new make kill refund void retry resend export sync copy
  archive upgrade downgrade skip discount apply-coupon change-card change-address change-plan update-card swap merge
  block unblock forget track fight capture reactivate credit exchange convert prolong rename cancel-at-end charge-again
  send-receipt charge hold release approve reject close reopen split move transfer link`);
const WHOSE = [
  [ID],
  ['jane@example.com'],
  ['#O-264'],
  ['C-10023'],
  ['Jane Doe'],
  ['(555) 813-1033'],
  ['mailto:jane@example.com'],
  [],
];
const VALUES = [
  ['50%'],
  ['14,50'],
  ['$14.50'],
  ['14.50 EUR'],
  ['2w'],
  ['15 january'],
  ['2027-01-15'],
  ['SAVE10'],
  ['4242'],
];

/** Options of stripe, gh, aws, gcloud, kubectl and shopify, as they stand on their lines. */
const FOREIGN: readonly (readonly string[])[] = [
  ...[
    '--forward-to http://localhost:3000',
    '--expand customer',
    '--api-key sk_1',
    '--starting-after x',
    '--confirm',
    '--live-mode',
  ],
  ...['--json id', '--jq .id', '--web', '--repo a/b', '--state open', '-L 5', '--paginate', '--template x'],
  ...[
    '--output text',
    '--query items[0]',
    '--region us-east-1',
    '--profile prod1',
    '--max-items 5',
    '--no-paginate',
    '--dryrun',
    '--cli-input-json x',
    '--page-size 2',
  ],
  ...[
    '--format json',
    '--filter status=active',
    '--project p',
    '--quiet',
    '--sort-by ~name',
    '--limit 5',
    '--uri',
    '--async',
  ],
  ...[
    '-n default',
    '-l app=x',
    '--namespace x',
    '--all-namespaces',
    '-A',
    '--watch',
    '--selector a=b',
    '--force',
    '--grace-period 0',
    '--field-selector a=b',
    '-w',
    '--as-json',
  ],
  ...[
    '--store x',
    '--theme 1',
    '--path x',
    '--allow-live',
    '--development',
    '--only x',
    '--nodelete',
    '--no-color',
    '--environment production',
    '--reset',
  ],
  ...[
    '--at 2026-12-31',
    '--on 2026-12-31',
    '--tz http://x.example',
    '--to http://x.example',
    '--url http://x.example',
    '--all-time',
    '--delete',
    '--out x.xlsx',
    '--verbos',
    '--liv',
  ],
  ...[
    '--partial',
    '--percent 50',
    '--half',
    '--prorate',
    '--immediately',
    '--at-period-end',
    '--until friday',
    '--for 2',
    '--item x',
    '--reason fraud',
    '--notify',
    '--send-email',
    '--coupon SAVE10',
    '--price 5',
    '--customer jane@example.com',
  ],
].map((option) => option.split(' '));

const MISSPELLED = words(`
  custmers suscriptions slaes prodcts transctions seed fixtures serve listen webhook charge payout login2 lst emails
  orders refunds disputes cards plans prices balance logs tax-rates accounts users tickets reports backup restore init
  deploy migrate start stop`);

/** Whole sentences, and lines in a hurry. */
const HURRIED = [
  'why was jane@example.com charged twice',
  'where is order O-264',
  'refund jane@example.com 10',
  'cancel jane@example.com',
  'cancel jane@example.com now',
  'void O-264',
  'who is on hold',
  'resend receipt O-264',
  'show me jane@example.com',
  'list all failed payments',
  'subscriptons cancle jane@example.com',
  'subscription cancel jane@example.com,',
  'custommers serach jane',
  'SALES LIST',
  'sales-list',
  'saleslist',
  'sales.list',
  'sales/list',
  'sales: list',
  'cops sales list',
  'sales list --last7d',
  'sales list last 7 days',
  'sales list since yesterday',
  'sales list -- last 7d',
  'sales list --last=7d,',
  'sales list --lsat 7d',
  'sales refund O-264 --partial 5',
  'refund last order of jane@example.com',
  'give jane@example.com her money back',
  'trials extend jane@example.com by a week',
  'change card of jane@example.com',
  'add note jane@example.com called',
  'help refund',
  'delete everything',
  'cancel all subscriptions',
].map((line) => line.split(' '));

/** A letter left out, and two swapped: what hurried fingers make of a word. */
const slips = (word: string): string[] => [
  word.slice(0, 3) + word.slice(4),
  word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4),
];

/** Options whose values have a meaning of their own, and what kind of thing each is. */
const MEANT: readonly (readonly [option: string, value: string, kind: string])[] = [
  ['--quantity', '37', 'count of pieces'],
  ['--qty', '37', 'count of pieces'],
  ['--seats', '37', 'count of pieces'],
  ['--count', '37', 'count'],
  ['--discount', '37', 'discount'],
  ['--off', '37', 'discount'],
  ['--percent', '37', 'share'],
  ['--points', '37', 'points'],
  ['--stock', '37', 'count of pieces'],
  ['--weight', '37', 'weight'],
  ['--trial-days', '37', 'days'],
  ['--uses-per-customer', '37', 'count of uses'],
  ['--vat', '37', 'share'],
  ['--nickname', 'Zed37', 'nickname'],
  ['--role', 'Zed37', 'role'],
  ['--currency', 'EUR', 'currency'],
  ['--start-date', '2037-01-01', 'start'],
  ['--birthday', '2037-01-01', 'birthday'],
  ['--refund', '', 'switch'],
  ['--cancel', '', 'switch'],
  ['--undo', '', 'switch'],
];
/** Kinds of what our options, and fields of bodies, hold: a value may only go where its own kind is held. */
export const KIND_OF: readonly (readonly [RegExp, string])[] = [
  [/^(?:amount|price|cost|fee|rate|trial_price|price_\w+)$/, 'money'],
  [/^(?:limit|page|page-size|expect|concurrency|max-failures|timeout|max-wait|max-retries)$/, 'limit'],
  [/^(?:until|next_renewal_date|by)$/, 'renewal'],
  [/^(?:from|to|last|next|month)$/, 'range'],
  [/^(?:first_name|last_name|name|email)$/, 'name'],
];

/** What a line gives, and of which kind it is. */
export interface MeantLine {
  readonly line: readonly string[];
  readonly value: string;
  readonly kind: string;
}

const MEANT_FOR = words(
  'subscriptions customers products sales trials coupons product-sales transactions subscription-renewals tax-profiles',
);

export const MEANT_LINES: readonly MeantLine[] = MEANT_FOR.flatMap((family) =>
  words('edit update refund cancel create add').flatMap((verb) =>
    MEANT.map(([option, value, kind]) => ({
      line: [family, verb, ...(/create|add/.test(verb) ? [] : [ID]), option, ...(value === '' ? [] : [value])],
      value,
      kind,
    })),
  ),
);

/** What the service has not at all, or not here. */
const ABSENT = words(
  'users colleagues staff roles permissions settings preferences points giftcards returns credits currencies payouts',
);

/** Some thousand wrong lines, always the same ones. */
export const WRONG_LINES: readonly (readonly string[])[] = [
  ...FAMILIES.flatMap((family, one) =>
    VERBS.map((verb, two) => [family, verb, ...(WHOSE[(one + two) % WHOSE.length] ?? [])]),
  ),
  ...NOUNS.flatMap((noun, one) => VERBS.filter((_verb, two) => (one + two) % 4 === 0).map((verb) => [noun, verb, ID])),
  ...FAMILIES.slice(0, 6).flatMap((family) =>
    VALUES.flatMap((value) =>
      words('refund discount extend move').map((verb) => [family, verb, 'jane@example.com', ...value]),
    ),
  ),
  ...FOREIGN.flatMap((option) => [
    ['customers', 'list', ...option],
    ['subscriptions', 'cancel', ID, ...option],
    ['product-sales', 'refund', ID, ...option],
    ['report', 'revenue', ...option],
  ]),
  ...FAMILY_INDEX.flatMap(({ command }) =>
    slips(command).flatMap((slip) => [
      [slip, 'list'],
      [slip, 'get', ID],
    ]),
  ),
  ...MISSPELLED.flatMap((word) => [[word], [word, 'list'], [word, ID], [word, 'list', '--latest'], ['sandbox', word]]),
  ...HURRIED,
  ...MEANT_LINES.map(({ line }) => line),
  ...ABSENT.flatMap((noun) => words('list show create edit delete add').map((verb) => [noun, verb, '--name', 'Mia'])),
  ['serve', '--forward-to', 'http://localhost:3000'],
  ['sandbox', 'serve', '--forward-to', 'http://localhost:3000'],
  ['events', 'resend', 'evt_1', '--url', 'http://localhost:3000'],
  ['emails', 'last', 'jane@example.com', '--latest'],
  ['sandbox', 'seed', '--size', 'large'],
];

/** A decision of the sandbox where the spec and the published facts are silent. */
export interface Reading {
  /** The id that marks it in the code (`reading: <id>`). */
  readonly id: string;
  readonly about: string;
  readonly says: string;
}

/** What the sandbox decides: the subject, and the id that marks it in the code. */
const SAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AI assistant': {
    'assistant-answers':
      'the script of cops sandbox answers answers prompts with its first matching line; without a match, a step is answered Done. and a branch picks none (output 4)',
    'filter-verdict': 'a filter function that is missing, disabled, fails or answers anything but pass blocks the run',
    'flow-codes': 'E0959 for settings of a node, E0958 for its connections',
    'no-echo': 'the actions of an assistant start neither itself nor an assistant that started it',
  },
  'AI thread': {
    'thread-steps': 'each prompt takes 30 seconds; a refused action ends the thread with Error',
    'token-limits':
      'four characters count as a token; a thread above thread_max_tokens ends with Error, an assistant at token_max_per_day does not start again on that day in UTC',
  },
  amounts: { 'processor-fee': 'the processor takes 2.9 % of what is not refunded, rounded to the cent' },
  bodies: {
    'assumed-fields':
      'if a body is not documented, the fields of reads and twin operations are accepted, marked x-reading in openapi.json',
    'not-writable': 'a property that only the service writes is refused by name (400), never ignored',
  },
  coupon: {
    'coupon-fields':
      'written as coupon_code (or code), discount_type, discount_value, start_date_unix, end_date_unix (or start_date, end_date), max_uses; max_uses also on its profile',
    'coupon-uses': 'a sale is one use, and so is each renewal that the coupon lowers',
  },
  customer: {
    'customer-counts': 'sales_count counts paid sales, products_bought their products',
    'disabled-customer':
      'a disabled customer is refused sales, renew and expire (400); tasks that fall due wait until the customer is enabled; a debt (salvage) can still be collected',
    'fraud-blocks':
      'a fraud decision or detection blocks the customer and the ip_address of the payment; enable unblocks the customer, false_positive the address',
  },
  'customer portal': {
    'portal-defaults': 'every permission is false and each mail has a default text until others are written',
  },
  'e-mail': {
    'mail-data':
      "shortcodes can use the item under its type and as item, customer, event, custom_data (its json, or its function's result) and the custom arguments by name",
    'mail-recipients': 'an address shortcode without a value is dropped; a mail without any recipient is refused',
    'mail-triggers':
      'the trigger of a template is an event or api_direct; timing and filters work as for functions and assistants; an event mail that cannot be filled is stored unsent with status error',
    shortcodes:
      'names and paths in two braces, escaped in HTML, or in three; a shortcode without a value is refused, and so are blocks and helpers',
  },
  errors: { 'api-errors': 'E0001 for every 400 without a specific code' },
  events: {
    'event-chain':
      'an event also raises those above it, the most general one first: sale.created, sale.created.success, sale.created.success.paid',
    'event-changes': 'copies of other items, notes and metadata raise no event of the item that contains them',
    'event-filters': 'a filter with a value does not pass an item that lacks such a value',
    'pending-paid':
      'a paid pending sale only raises sale.created.success.paid: those above it were raised at its creation',
    'sentinel-alerts':
      'a fraud decision raises sentinel.alert.fraud_detected; a payment of an already blocked customer raises firewall_block',
  },
  function: {
    'function-event':
      'finds event {event_source, notation, item_type, item_id, item, live_mode, created_date_unix, custom_arguments}, process with only its variables, console, timers that do not wait, and callback(error, result); exports.handler(event, context, callback) is called if it exists',
    'function-limits':
      '5 seconds and 64 MiB a run, no network, no modules; 200 lines of log and 256 KiB of result are kept',
    'function-runs': 'a run is stored with status, result, error and logs; cops sandbox runs shows it',
    'function-sources':
      'api_direct, account_event, schedule and email_template run it; function_url and payment_profile never do: nothing serves such an address, and payment flows skip such functions',
  },
  keys: {
    'estimate-permission':
      'if the spec names no permission for an operation, a restricted key may only read: it may not estimate',
    'missing-permission': '401 for an operation that a key has no permission for',
  },
  'key value': { 'key-size': '5 MB are 5 MiB of UTF-8' },
  lists: { 'range-ends': 'items created exactly at date_start or date_end belong to the range' },
  metadata: { 'metadata-names': 'a name is listed as soon as any item has it, however it got there' },
  'openapi.json': {
    'item-fields': 'fields that the sandbox shows but no description names, marked x-reading there',
  },
  'payment profile': {
    'disabled-profile': 'a disabled profile is invalid in a sale (E0037)',
    'payment-flow':
      'the first enabled gateway (or member of a gateway group) that a node of the flow names, along its edges; if it names none, the first enabled gateway; without any, a gateway error (402, code 3)',
  },
  payments: {
    'expired-card':
      'a card is valid until the end of its month in UTC; then every payment with it (sale, renewal or collection) is declined, and the card stays enabled',
    'other-payments': 'wallet, check and offline payments are completed and settled at once',
  },
  'pending refund': {
    'refund-delay': 'is sent an hour after its creation, but not before the payment is 72 hours old',
    'refund-transactions':
      'after cops sandbox reset --refund-transactions, a processed card refund leaves a transaction of method refund, which takes nothing and names the payment',
  },
  product: {
    bundles:
      'with unbundle_at_sale it is sold as its products, and its price is spread in proportion to theirs; with unbundle_at_fulfillment its shipment lists them',
    'longest-trial': 'trial_days from 0 to 3650',
  },
  refunds: {
    'refund-limits': 'above zero, whole cents, at most what is left of the item, of its payments and of its sale',
  },
  sale: {
    'order-limits': 'at most 10,000 units of a line and 10,000,000 for any sum',
    'order-names':
      'products of {id, quantity, price}, shipping_amount, shipping_profile, tax_amount, discount_amount, coupon_code, ship_to; a given amount overrides a computed one',
    'part-collected':
      'a partly collected sale is paid, shows the rest as remaining, and leaves a salvage transaction for it, which a void disables',
  },
  search: {
    'search-words':
      'a search matches the start of a word in the searched fields, in any case, and inside words among the 1,000 newest items; at most ten hits, best first',
  },
  shipping: {
    'shipment-edit':
      'written as status, or as shipped and delivered; tracking_number and provider_tracking mean the same',
    'shipping-charges':
      'charged on sales, and on renewals whose profile has a shipping profile; a trial expiration ships for the price of the trial',
  },
  'shipping profile': {
    'shipping-rates':
      'the first qualifying rate, with profiles in order of creation; all enabled revenue rules must hold, a list without an enabled element requires nothing, and no rate means no charge',
  },
  'site events': {
    'site-events':
      'an account event is an item of type account_event with notation, item_type, item_id and customer_id',
  },
  subscription: {
    'activate-late': 'if activated after its date, the next renewal is one period from today',
    'coupons-on-subscriptions':
      'a coupon must be usable when it is added; once used up or expired, it no longer lowers renewals',
    'failed-renewal':
      'a failed manual renewal does not change the next date, a failed scheduled one waits for the next period',
  },
  'subscription profile': {
    'month-end':
      'a month that is too short uses its last day; a schedule begun on day 31 returns to it; an nth unit that a parent does not have means its last',
    'prefer-gateway':
      'max 0 means no limit; a disabled preferred gateway falls back to the profile, a disabled locked one is a gateway error',
  },
  'tax profile': {
    'tax-rate':
      'a profile with an integration taxes products less their discount at 8.25 %, on sales, renewals and trial expirations of its campaigns',
  },
  'tracking domain': {
    'domain-records':
      'SSL and DNS are active as soon as they are initialised, and at once for a name that is already set up in the other mode; initialize_dns needs SSL',
  },
  transaction: { settlement: 'settled two days after capture' },
  trial: {
    'trial-gateway':
      'charged through the payment profile of its subscription, otherwise through the first enabled gateway',
  },
  'user shop': {
    'remote-data': 'its own products, two more that a synchronisation creates here, and two methods of each kind',
  },
  'wallet account': {
    'wallet-confirmation':
      'with transaction_confirmation a sale is pending for three hours; its account is an enabled one of its campaign, otherwise any; accounts that wait for confirmation come first',
  },
};

/**
 * Every decision of the sandbox, printed by `cops reference sandbox`; a test compares them with the marks in the code.
 */
export const READINGS: readonly Reading[] = Object.entries(SAYS).flatMap(([about, said]) =>
  Object.entries(said).map(([id, says]) => ({ id, about, says })),
);

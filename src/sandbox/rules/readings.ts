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
      'prompts are answered by the script of cops sandbox answers, the first line that fits; without one a step is answered Done. and a branch picks none (output 4)',
    'filter-verdict': 'a filter function that is gone, disabled, fails or answers anything but pass vetoes the run',
    'flow-codes': 'E0959 for settings of a node, E0958 for its connections',
    'no-echo': 'what an assistant does starts neither itself nor one whose doing started it',
  },
  'AI thread': {
    'thread-steps': 'each prompt takes 30 seconds; an action that is refused ends the thread with Error',
    'token-limits':
      'four characters are a token; a thread above thread_max_tokens ends with Error, an assistant at token_max_per_day starts no more on that day in UTC',
  },
  amounts: { 'processor-fee': 'the processor takes 2.9 %, rounded to the cent, of what is not refunded' },
  bodies: {
    'assumed-fields':
      'what reads and twin operations show is taken where a body was not seen, marked x-reading in openapi.json',
    'not-writable': 'a property that only the service writes is refused by name (400), never ignored',
  },
  coupon: {
    'coupon-fields':
      'written as coupon_code (or code), discount_type, discount_value, start_date_unix, end_date_unix (or start_date, end_date), max_uses; max_uses also on its profile',
    'coupon-uses': 'a sale is one use, and so is each renewal that the coupon lowers',
  },
  customer: {
    'customer-counts': 'sales_count counts the sales that were paid, products_bought what was bought by them',
    'disabled-customer':
      'a disabled one is refused sales, renew and expire (400), what falls due meanwhile waits until it is enabled; a debt (salvage) may still be collected',
    'fraud-blocks':
      'a fraud decision or a fraud detection blocks the customer and the ip_address of the payment; enable lifts the one, false_positive the other',
  },
  'customer portal': {
    'portal-defaults': 'every permission is false and each mail has a plain text until one is written',
  },
  'e-mail': {
    'mail-data':
      'shortcodes see the item under its type and as item, customer, event, custom_data (its json, or the object that its function answers) and the custom arguments by name',
    'mail-recipients': 'an address shortcode that has no value drops out; without any recipient a mail is refused',
    'mail-triggers':
      'the trigger of a template is an event or api_direct; timing and filters are as for functions and assistants; an event mail that cannot be filled is kept with status error, unsent',
    shortcodes:
      'names and paths between two braces, escaped in HTML, or three; a shortcode without a value is refused, blocks and helpers too',
  },
  errors: { 'api-errors': 'E0001 for every 400 that has no code of its own' },
  events: {
    'event-chain':
      'an event raises those above it too, the general one first: sale.created, sale.created.success, sale.created.success.paid',
    'event-changes': 'copies that items keep of others, notes and metadata raise no event of the item that holds them',
    'event-filters': 'a filter that names something is not passed by an item that has nothing for it',
    'pending-paid':
      'a pending sale that is paid raises sale.created.success.paid alone: what is above it was raised when it was made',
    'sentinel-alerts':
      'a fraud decision raises sentinel.alert.fraud_detected; a payment of a customer that is blocked already, firewall_block',
  },
  function: {
    'function-event':
      'finds event {event_source, notation, item_type, item_id, item, live_mode, created_date_unix, custom_arguments}, process with its variables alone, console, timers that do not wait, and callback(error, result); exports.handler(event, context, callback) is called when there is one',
    'function-limits':
      '5 seconds and 64 MiB a run, no network, no modules; 200 lines of log and 256 KiB of result are kept',
    'function-runs': 'a run is kept with status, result, error and logs, and shown by cops sandbox runs',
    'function-sources':
      'api_direct, account_event, schedule and email_template run it; nothing serves the address of a function_url, and a payment flow passes over functions of payment_profile: neither is ever run',
  },
  keys: {
    'estimate-permission':
      'where the spec names no permission for an operation, a restricted key may read only: it may not estimate',
    'missing-permission': '401 for an operation that a key has no permission for',
  },
  'key value': { 'key-size': '5 MB are 5 MiB of UTF-8' },
  lists: { 'range-ends': 'items created exactly at date_start and date_end belong to the range' },
  metadata: { 'metadata-names': 'a name is listed as soon as any item carries it, however it came there' },
  'openapi.json': {
    'item-fields': 'fields that items of the sandbox show and no description names, marked x-reading there',
  },
  'payment profile': {
    'disabled-profile': 'a disabled one is invalid in a sale (E0037)',
    'payment-flow':
      'the first enabled gateway (or member of a gateway group) that a node of the flow names, along its edges; a flow that names none leaves it to the first enabled gateway; none left is a gateway error (402, code 3)',
  },
  payments: {
    'expired-card':
      'a card is good to the end of its month in UTC; after it each payment by it is declined, a sale, a renewal or a collection, and the card stays enabled',
    'other-payments': 'wallet, check and offline payments are completed and settled at once',
  },
  'pending refund': {
    'refund-delay': 'leaves an hour after it was made, and not before the payment is 72 hours old',
    'refund-transactions':
      'after cops sandbox reset --refund-transactions one of a card leaves a transaction when it is processed, of method refund, that takes nothing and names the payment',
  },
  product: {
    bundles:
      'sold by unbundle_at_sale as its products, the price of the bundle spread by theirs; by unbundle_at_fulfillment its shipment lists them',
    'longest-trial': 'trial_days from 0 to 3650',
  },
  refunds: {
    'refund-limits': 'above zero, whole cents, at most what is left of the item, of its payments and of its sale',
  },
  sale: {
    'order-limits': 'at most 10,000 units of a line and 10,000,000 for any sum',
    'order-names':
      'products of {id, quantity, price}, shipping_amount, shipping_profile, tax_amount, discount_amount, coupon_code, ship_to; a named amount wins over one worked out',
    'part-collected':
      'a sale that is collected in part is paid, shows what remains, and leaves a salvage transaction for it, which its void disables',
  },
  search: {
    'search-words':
      'a term is found where a word of the searched fields begins, in any case, and inside words among the 1,000 newest items; at most ten hits, best first',
  },
  shipping: {
    'shipment-edit': 'written as status, or as shipped and delivered; tracking_number and provider_tracking are one',
    'shipping-charges': 'charged on sales and renewals; a trial expiration ships for the price of the trial',
  },
  'shipping profile': {
    'shipping-rates':
      'the first rate that qualifies, profiles in the order they were made; all enabled revenue rules must hold, a list without an enabled element asks for nothing, no rate costs nothing',
  },
  'site events': {
    'site-events':
      'an account event is an item of type account_event with notation, item_type, item_id and customer_id',
  },
  subscription: {
    'activate-late': 'activated after its date: the next renewal is one period from today',
    'coupons-on-subscriptions':
      'a coupon that is put on must be usable then; one that is used up or expired later no longer lowers renewals',
    'failed-renewal':
      'a failed manual renewal leaves the next date alone, a failed scheduled one waits for the next period',
  },
  'subscription profile': {
    'month-end':
      'where a month is too short its last day stands in; a schedule begun on day 31 returns to it; the nth unit that a parent does not have is its last',
    'prefer-gateway':
      'max 0 means without end; a disabled preferred gateway falls back to the profile, a disabled locked one is a gateway error',
  },
  'tax profile': {
    'tax-rate':
      'a profile with an integration taxes products less their discount at 8.25 %, on sales, renewals and trial expirations of its campaigns',
  },
  'tracking domain': {
    'domain-records':
      'SSL and DNS are active as soon as they are initialised, and at once for a name that the other mode has so far; initialize_dns needs SSL',
  },
  transaction: { settlement: 'settled two days after it was captured' },
  trial: { 'trial-gateway': 'charged by the payment profile of its subscription, else by the first enabled gateway' },
  'user shop': {
    'remote-data': 'its own products, two more that a synchronisation makes here, and two methods of each kind',
  },
  'wallet account': {
    'wallet-confirmation':
      'with transaction_confirmation a sale is pending for three hours; its account is an enabled one of its campaign, else any, one that waits first',
  },
};

/**
 * Every decision of the sandbox, printed by `cops reference sandbox`; a test compares them with the marks in the code.
 */
export const READINGS: readonly Reading[] = Object.entries(SAYS).flatMap(([about, said]) =>
  Object.entries(said).map(([id, says]) => ({ id, about, says })),
);

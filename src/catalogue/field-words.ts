import { cops, say, type Text } from '../base/text/command-line.js';
import { STATES } from './terms.js';

/**
 * Common names for body fields of any family, by the last word of their path. A field of that very name always wins;
 * names used in one family alone are stored with the field (`called`).
 */
export const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'full_name', 'display_name'],
  title: ['name', 'label'],
  description: ['desc', 'details', 'about', 'summary'],
  text: ['note', 'comment', 'message', 'content', 'body'],
  email: ['mail', 'e_mail', 'email_address'],
  first_name: ['first', 'firstname', 'given_name', 'forename'],
  last_name: ['last', 'lastname', 'surname', 'family_name'],
  phone: ['telephone', 'tel', 'mobile', 'cell', 'phone_number'],
  company: ['organisation', 'organization', 'business'],
  address_line_1: ['address', 'street', 'address1', 'line1', 'address_line1'],
  address_line_2: ['address2', 'line2', 'apartment', 'suite', 'address_line2'],
  zip: ['postcode', 'postal_code', 'zip_code', 'zipcode'],
  state: ['province', 'region', 'county'],
  country: ['country_code'],
  iso_currency: ['currency', 'currency_code'],
  price: ['cost', 'amount', 'unit_price', 'unit_amount'],
  amount: ['sum', 'total', 'value', 'price'],
  quantity: ['qty', 'count', 'units'],
  enabled: ['active', 'live', 'status'],
  ip_address: ['ip'],
  next_renewal_date: ['renewal_date', 'next_renewal', 'renews', 'next_billing_date', 'billing_date', 'due_date'],
  occurrences_value: ['cycles', 'installments', 'instalments', 'total_cycles'],
  trial_days: ['trial', 'trial_period', 'trial_period_days'],
  template_subject: ['subject'],
  template_html: ['html', 'body', 'body_html'],
  template_text: ['body_text', 'plain_text'],
};

/** Names for things that no item shows, in any family. */
const NEVER_SHOWN = new Set(
  'user actor operator agent staff employee author who by user_name username created_by updated_by changed_by made_by refunded_by'.split(
    ' ',
  ),
);

/** Words for why a payment failed. The second set means that only among payments: elsewhere some are real fields. */
const REASON =
  /(?:^|[._])(?:reason|(?:declined?|fail(?:ed|ure)?)_(?:reason|code|message|text)|response_(?:text|code))$/;
const OF_PAYMENT = /(?:^|[._])(?:response|error_message|message)$/;

/** When a state began: `cancelled_at`, `suspended_on`, `cancellation_date`. */
const BEGAN =
  /(?:^|[._])(?:[a-z]{3,}ed|won|lost|paid|sent|overdue|cancell?ation|churn)_(?:at|on|since|date|day|time)(?:_unix)?$/;

/** The states of all families; a participle is one too where items have a status, except for flags. */
const NAMED_STATES = new Set(Object.values(STATES).flatMap((states) => states.map((state) => state.toLowerCase())));
const PARTICIPLE = /^(?!enabled$|disabled$|blocked$)[a-z]{2,}[^e]ed$/;

/** Whether a name means a state that items are in: `cancelled`, `canceled`, `ended`. */
function isStateWord(word: string, known: readonly string[]): boolean {
  const isField = known.some((one) => one.split('.').at(-1) === word);
  return !isField && known.includes('status') && (NAMED_STATES.has(word) || PARTICIPLE.test(word));
}

/**
 * Why no item has a field of that name, with commands that help; undefined for a name that some item may have.
 * @param known the fields that items have
 * @param isSeen whether items were read; until then nothing is certain, because the service shows undocumented dates
 */
export function neverShown(name: string, known: readonly string[] = [], isSeen = true): Text | undefined {
  const word = name
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '_');
  const isReason = REASON.test(word) || (known.includes('declined') && OF_PAYMENT.test(word));
  if (isReason && !known.includes('reason')) {
    const path = known.includes('declined') ? 'result' : 'transactions.result (where an item has payments)';
    return say`The service promises no reason for a failed payment, only its result, declined, error or held: write ${path} instead of ${name}. What else the gateway said of one: ${cops`why <id>`}; reasons where they are shown: ${cops`report failures --by reason`}; those given here with --reason: ${cops`history list`}`;
  }
  if (isSeen && (BEGAN.test(word) || isStateWord(word, known)))
    return say`No item shows since when it is in its state, only when it last changed in any way: write updated instead of ${name}. Subscriptions ended by month: ${cops`report churn --month last --by product`}. Changes that a mirror saw: ${cops`changes --since 30d`}`;
  return NEVER_SHOWN.has(word.replace(/[._](?:id|name|email)$/, ''))
    ? say`No item shows who made or changed it. Writes from this machine: ${cops`history list`}; the calls that name one item: ${cops`changes <item> --who`}.`
    : undefined;
}

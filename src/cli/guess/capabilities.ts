import { TOLD_OTHERWISE } from '../../account/profiles/settings.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { type Card, WITHOUT_ACTION } from './verbs-without-action.js';

/** Also used for a word among the settings. */
const told = (word: string): Text => TOLD_OTHERWISE.find(({ called }) => called.test(word))?.says ?? '';

const SUBSCRIPTION = ['subscriptions', 'customers', 'trials', 'subscription-renewals'];
const CHANGE = 'change|update|replace|swap|switch|set|edit|correct|fix|new|move';

/** Checked from the top: of two cards that fit equally, the first comes first. */
export const CAPABILITIES: readonly Card[] = [
  {
    said: ['coupon|promo|voucher|discountcode', 'apply|add|attach coupon|promo|voucher|discount'],
    of: SUBSCRIPTION,
    text: say`To put a coupon on a subscription, edit it: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}`,
  },
  {
    said: ['discount|rebate|off|cheaper|reduction'],
    of: SUBSCRIPTION,
    text: say`The service has no discount for a number of renewals: a coupon stays, and so does an amount until you change it back: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}, ${cops`subscriptions edit <who> --amount <new amount>`}.`,
  },
  {
    said: [
      'cancel|stop|end|terminate at|on|date|when|after|later|schedule|eot|period|term|cycle',
      'cancel|stop|end|terminate end|renewal|future',
    ],
    of: SUBSCRIPTION,
    text: say`The service cancels immediately, never at the end of a period or on a future day: cancel shortly before the next renewal, which ${cops`subscriptions get <who>`} shows. ${cops`subscriptions suspend <who>`} stops renewals immediately and can be undone.`,
  },
  {
    said: [
      `${CHANGE} card|cc|paymentmethod`,
      `${CHANGE} method|source payment|billing|card`,
      'add card|cc|paymentmethod',
      'expired card',
    ],
    of: ['customers', 'subscriptions', 'customer-cards', 'transactions'],
    text: say`All of a customer's subscriptions charge the default card. A new card, typed at a prompt: ${cops`customers add-card <who>`}. To make a stored one the default, by its last four digits: ${cops`customers payment-methods set-default <who> <card>`}; ${cops`customer-cards list --customer <who>`} shows them.`,
  },
  {
    said: [
      `${CHANGE} plan|profile|frequency|interval|cycle|schedule|tier`,
      'upgrade|downgrade|crossgrade',
      'billing cycle|interval|frequency',
    ],
    of: SUBSCRIPTION,
    text: say`The profile sets how often it renews, the amount how much it charges: ${cops`subscriptions edit <who> --subscription-profile <profile>`}, ${cops`subscriptions edit <who> --amount <new amount>`}. Its product can be changed only in the web application; otherwise end this one and sell the other.`,
  },
  {
    said: [`${CHANGE} product|item|sku|variant|flavor|flavour`, 'swap|exchange|switch'],
    of: ['subscriptions'],
    lacks: true,
    text: say`The product of a subscription can be changed only in the web application. Otherwise end this one (${cops`subscriptions cancel --help`}) and sell the other (${cops`sales create --help`}). Its price and schedule can change: ${cops`subscriptions edit --help`}.`,
  },
  {
    said: [`${CHANGE} price|amount|cost|fee`, 'price'],
    of: ['subscriptions'],
    text: say`The price of renewals from now on: ${cops`subscriptions edit <who> --amount <amount>`}`,
  },
  {
    said: ['raise|lower|reduce|increase'],
    of: ['subscriptions'],
    text: say`The full price of renewals from now on: ${cops`subscriptions edit <who> --amount <new amount>`}`,
  },
  {
    said: ['renew amount|price|sum|part|partial|discount'],
    of: ['subscriptions'],
    text: say`A renewal charges the whole amount of the subscription. To change that amount from now on: ${cops`subscriptions edit <who> --amount <amount>`}.`,
  },
  {
    said: ['void amount|part|partial|partially|item|product'],
    of: ['sales'],
    text: say`Only a whole order can be voided. To refund a part: ${cops`product-sales refund --help`}.`,
  },
  {
    said: ['skip', 'skip next|once|month|renewal|delivery|box|shipment|payment|cycle'],
    of: ['subscriptions', 'customers', 'subscription-renewals'],
    text: say`Move the next renewal; later ones count from there: ${cops`subscriptions postpone <who> --by 1mo`}`,
  },
  {
    said: [`${CHANGE}|reschedule|shift date|day|renewal|billing|anchor`, 'bill|charge|renew on|day|date'],
    of: SUBSCRIPTION,
    text: say`To set the day of the next renewal: ${cops`subscriptions postpone <who> --until <day>`}`,
  },
  {
    said: ['cancel|stop|end|terminate refund|moneyback|reimburse'],
    of: ['subscriptions', 'subscription-renewals'],
    text: say`Cancelling refunds nothing, and a refund cancels nothing: use two commands. Its renewals, the last of which you refund by its id: ${cops`subscription-renewals list --where subscription_id=<subscription> --all-time --latest`}, ${cops`subscription-renewals refund <renewal>`}. Then ${cops`subscriptions cancel <who>`}.`,
  },
  {
    said: ['refund|moneyback|reimburse cancel|terminate|end'],
    of: ['customers', 'product-sales', 'sales', 'transactions'],
    text: say`A refund cancels no subscription, and cancelling refunds nothing: use two commands. Current state: ${cops`customers show <who>`}.`,
  },
  {
    said: ['reactivate|reopen|uncancel|restore|undo|revive|winback', 'undo|reverse cancel|cancellation'],
    of: [...SUBSCRIPTION, ''],
    text: say`A suspended subscription continues with: ${cops`subscriptions activate <who>`}. A cancelled one cannot come back: sell it again (${cops`sales create --help`}).`,
  },
  {
    said: ['quantity|qty|seat|unit|piece'],
    of: ['subscriptions', 'trials'],
    lacks: true,
    text: say`The quantity of a subscription cannot be changed here, but the full amount of its renewals can: ${cops`subscriptions edit <who> --amount <new amount>`}. Its current amount: ${cops`subscriptions get <who>`}.`,
  },
  {
    said: ['prorate|proration|prorated|usage|metered'],
    of: [...SUBSCRIPTION, 'sales', 'product-sales', 'transactions', 'products', 'subscription-profiles', ''],
    text: 'The service does not prorate or meter: renewals charge the amount of the subscription.',
  },
  {
    said: [`${CHANGE}|ship address|street|city|zip|postcode|shippingaddress|shipto`],
    of: ['subscriptions', 'shipping', 'sales'],
    text: say`To change where renewals are sent: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<street>`}. The customer's own address: ${cops`customers edit <who> -d customer.address_line_1=<street>`}. Parcels already on their way keep their address.`,
  },
  {
    said: [`${CHANGE} address|street|city|zip|postcode`],
    of: ['customers'],
    text: say`An address has parts (customer.city, customer.state, customer.zip, customer.country): ${cops`customers edit <who> -d customer.address_line_1=<street>`}. The address for renewals: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<street>`}.`,
  },
  {
    said: [`${CHANGE}|rename name|surname|lastname|firstname|married`, 'rename'],
    of: ['customers'],
    text: say`A name has two parts: ${cops`customers edit <who> -d customer.last_name=<surname>`} (and customer.first_name).`,
  },
  {
    said: [`${CHANGE} phone|telephone|mobile|number`],
    of: ['customers'],
    text: say`The phone number: ${cops`customers edit <who> -d customer.phone=<phone>`}`,
  },
  {
    said: ['merge|combine|dedupe|duplicate|join'],
    of: ['customers'],
    text: 'Customers cannot be merged through this interface: write a note on each about the other, and disable the unused one.',
  },
  {
    said: ['forget|gdpr|anonymize|anonymise|purge|wipe|erasure', 'delete|erase|remove data|person|account|everything'],
    of: ['customers'],
    text: say`The service cannot delete customers. To stop all charges: ${cops`customers disable <who>`}. To overwrite single fields: ${cops`customers edit <who>`}.`,
  },
  {
    said: ['send|resend|email receipt|confirmation|invoice|mail|copy|again', 'resend|receipt|remind|reminder'],
    of: ['', 'customers', 'sales', 'invoices', 'smtp-messages', 'transactions', 'subscriptions', 'product-sales'],
    text: say`Mail that the service sent automatically cannot be sent again through this interface: only a template with the trigger api_direct can be sent manually (${cops`smtp-messages create --help`}; list them: ${cops`email-templates list --where template_trigger=api_direct`}). Mail sent to a customer: ${cops`smtp-messages list --customer <who>`}.`,
  },
  {
    said: ['password|reset-password|login|signin|magic|impersonate|portal'],
    of: ['customers'],
    text: say`Customers have no password here; a portal sends them a code by mail: ${cops`customer-portals list`}`,
  },
  {
    said: ['subscribe|unsubscribe|optout|opt|marketing|newsletter'],
    of: ['customers'],
    text: say`The service keeps no newsletters. To end renewals: ${cops`subscriptions cancel <who>`}.`,
  },
  {
    said: [
      'why|explain|reason charge|declined|fail|failed|twice|double|billed|refused|overdue|suspended|happen',
      'charge|billed|paid twice|double|again|duplicate',
      'diagnose|troubleshoot',
    ],
    text: say`Failures, pending items and possible duplicates: ${cops`why <who>`}. The whole history: ${cops`timeline <who>`}`,
  },
  {
    said: ['void|reverse|undo'],
    of: ['transactions', 'subscription-renewals', 'product-sales', 'shipping', 'tax'],
    text: say`Only a whole order can be voided, which ends its subscriptions: ${cops`sales void <id>`}. To refund a completed charge: ${cops`transactions refund <who>`}`,
  },
  {
    said: ['void|reverse|undo'],
    of: [''],
    text: say`Only a whole order can be voided, which ends its subscriptions: ${cops`sales void <who>`}. To refund a part: ${cops`product-sales refund <who> --latest`}`,
  },
  {
    said: ['retry|rerun|recharge|reattempt|recover|again', 'charge|collect again|failed|overdue|now'],
    of: ['transactions', 'customers', 'invoices', 'salvage-transactions', 'subscription-renewals'],
    text: say`Failed payments wait here: ${cops`salvage-transactions list --customer <who>`}, and ${cops`salvage-transactions process <id>`} charges one now. To charge an overdue subscription now: ${cops`subscriptions renew <who>`}.`,
  },
  {
    said: ['capture|authorize|authorise|settle|preauth|hold'],
    of: ['transactions', 'sales'],
    text: 'A sale is charged immediately, or stays pending until it is processed (sales pending process); nothing is authorised for later capture here.',
  },
  {
    said: ['fight|respond|contest|represent|representment|evidence|accept|win|challenge|close'],
    of: ['chargebacks', 'transactions', 'wallet-disputes'],
    text: say`Evidence goes to the bank, not here. To record the answer: ${cops`chargebacks edit --help`}. Those of one customer: ${cops`chargebacks list --customer <who>`}`,
  },
  {
    said: ['track|trace|tracking|where|status|eta|arrive order|shipment|parcel|package|delivery|shipping|sale'],
    text: say`One customer's parcels, with tracking numbers: ${cops`shipping list --customer <who>`}`,
  },
  {
    said: ['resend|reship|send|again'],
    of: ['shipping'],
    text: say`Parcels are sent by the fulfillment account, not through this interface: ask there for another one. A sale created for it charges immediately (${cops`sales create --help`}). One customer's parcels, with state and tracking: ${cops`shipping list --customer <who>`}.`,
  },
  {
    said: ['return|rma|exchange|replacement|reship|resend'],
    of: ['sales'],
    text: say`The service has no returns: refund what comes back (${cops`product-sales refund <who> --latest`}), and create a new sale for what goes out again (${cops`sales create --help`}).`,
  },
  {
    said: ['return|rma|exchange|replacement'],
    of: ['shipping'],
    text: say`The service has no returns: refund what comes back (${cops`product-sales refund <who> --latest`}).`,
  },
  {
    said: ['cancel|stop|reverse|undo refund'],
    text: say`A completed refund cannot be reversed. Pending refunds: ${cops`pending-refunds list --customer <who>`}`,
  },
  {
    said: ['status|check|where|track refund'],
    text: say`Refunds under way: ${cops`pending-refunds list --customer <who>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|return|credit shipping|postage|delivery|freight'],
    text: say`To refund shipping: ${cops`shipping refund <who> --latest --amount <part>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|return|credit tax|vat'],
    text: say`To refund tax: ${cops`tax refund <who> --latest --amount <part>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|chargeback renewal|subscription|rebill'],
    text: say`To refund the last renewal: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All payments: ${cops`customers show <who>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|repay'],
    of: ['', 'customers'],
    text: say`To refund the last sale: ${cops`product-sales refund <who> --latest --amount <part>`}. To refund the last renewal: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All payments: ${cops`customers show <who>`}`,
  },
  {
    said: ['giftcard|voucher|points|loyalty|bonus'],
    of: ['customers', 'subscriptions', 'sales', ''],
    text: say`The service has no points or gift cards; give a coupon instead (${cops`coupons list`}).`,
  },
  {
    said: ['credit|storecredit|goodwill|balance'],
    of: ['customers', 'subscriptions', 'sales', ''],
    text: say`The service keeps no credit balance: refund a part (${cops`product-sales refund <who> --latest --amount <amount>`}), or give a coupon (${cops`coupons list`}).`,
  },
  {
    said: ['refund|moneyback|reimburse|repay'],
    of: ['trials'],
    text: say`A trial charges when it ends; refund that payment: ${cops`transactions refund <who> --latest --amount <part>`}. What it charged: ${cops`trials get <who> --columns status,amount_gross,transactions`}.`,
  },
  {
    said: ['convert|now|charge|finish|end now|early|today', 'convert|activate'],
    of: ['trials'],
    text: say`To end and charge a trial now: ${cops`trials expire <who>`}`,
  },
  {
    said: ['extend|longer|prolong|add|postpone|delay', 'extend week|month|by|for|another|more'],
    of: ['trials'],
    text: say`To extend a trial: ${cops`trials extend <who> --days <days>`}`,
  },
  {
    said: ['cancelled|churned|lost who|list|show|recent'],
    of: ['', 'subscriptions'],
    text: say`Who cancelled: ${cops`subscriptions list --status cancelled`}`,
  },
  {
    said: ['who|list|show hold|paused|suspended|frozen|held'],
    of: ['', 'subscriptions'],
    text: say`Paused subscriptions: ${cops`subscriptions list --status suspended`}`,
  },
  {
    said: ['who|list|show overdue|late|owe|due|unpaid'],
    of: ['', 'subscriptions', 'customers'],
    text: say`Overdue subscriptions: ${cops`subscriptions list --status overdue`}`,
  },
  {
    said: [
      'user|colleague|employee|staff|teammate|operator|admin|administrator|coworker',
      'role|permission|right|seat',
      'invite user|colleague|member|admin|somebody',
      'team member|user|role',
    ],
    of: ['', 'customers', 'profiles'],
    text: say`Users and their rights are managed in the web application, not in this interface. What this key may do: ${cops`whoami --verbose`}. What may be written from here: ${cops`policy show`}. One set of records for a team: ${cops`team --help`}.`,
  },
  {
    said: [
      'setting|preference|configuration',
      'shop|company|account|store|site setting|currency|timezone|zone|name|logo|language|branding',
    ],
    of: ['', 'sites', 'user-shops'],
    text: say`The account's name, currency and time zone are set in the web application, not in this interface. Settings of this program: ${cops`config list`}. What this key can see of the account: ${cops`overview`}.`,
  },
  {
    said: ['currency|currencies|isocurrency'],
    of: ['products', 'coupons', 'subscription-profiles', 'shipping-profiles'],
    lacks: true,
    text: say`Prices here have no currency; the gateway that charges them does (${cops`user-gateways list`}), and sales show it.`,
  },
  {
    said: [
      'customer|person|user|buyer|client|people|account per|each|limit|max|maximum|use|once|one',
      'first|new customer|buyer|order|sale|only',
    ],
    of: ['coupons', 'coupon-profiles'],
    lacks: true,
    text: say`A coupon counts all its uses, never those of one customer: ${cops`coupons edit <coupon> -d max_uses=<n>`}. For one customer, create a coupon with a single use.`,
  },
  {
    said: ['rate|percent|percentage|vat|country|region|state|zip|amount'],
    of: ['tax-profiles'],
    lacks: true,
    text: say`A tax profile holds no rates: they come from the tax integration that it names (${cops`tax-profiles create --name <name> -d third_party_integration=<integration>`}); without one, nothing is taxed. List them: ${cops`user-third-party-integrations list`}.`,
  },
  {
    said: ['mark|set|flag paid|unpaid|settled|captured', 'markpaid'],
    of: ['sales', 'invoices', 'transactions', 'product-sales', 'subscription-renewals'],
    text: say`Nothing can be marked as paid manually: charge a failed payment again (${cops`salvage-transactions list --customer <who>`}), or record a payment by other means as a sale of the offline type (${cops`sales create --help`}).`,
  },
  ...WITHOUT_ACTION,
  { said: ['proxy|proxies|httpproxy|httpsproxy|noproxy'], text: told('proxy') },
  {
    said: ['paymentlink|link|checkout|payurl|hosted'],
    of: ['sales', 'invoices', 'customers', 'products'],
    text: 'Payment pages are created in the web application, not through this interface; secure-forms create creates a form for a card.',
  },
];

/** Cards for body fields only: as options, these words already get a whole line. */
export const OF_BODIES: readonly Card[] = [
  {
    said: ['suspend|pause|hold|freeze until|till|end|resume|restart|reactivate|for|days|weeks|months|date'],
    of: ['subscriptions'],
    text: say`A suspension does not end automatically: ${cops`subscriptions activate <who>`} ends it. A pause with an end: ${cops`subscriptions postpone <who> --until <day>`}.`,
  },
];

import { cops, say, type Text } from '../../base/text/command-line.js';

/** One thing that people ask for, in any words, and how to do it here or why it is impossible. */
export interface Card {
  /**
   * What people say for it, in any order: the line must have every word, or one of the alternatives between bars. Words
   * are compared by their stems, and the family of the line counts as one of them.
   */
  readonly said: readonly string[];
  /** Commands of the families it applies to; any family if absent. */
  readonly of?: readonly string[];
  /**
   * The answer, with placeholders for typed values: `<who>`, `<amount>`, `<day>`, `<days>`, `<name>`; `<part>` and its
   * option are dropped if the line has no amount.
   */
  readonly text: Text;
}

const SUBSCRIPTION = ['subscriptions', 'customers', 'trials', 'subscription-renewals'];
const CHANGE = 'change|update|replace|swap|switch|set|edit|correct|fix|new|move';

/** Checked from the top: of two cards that fit equally, the first comes first. */
export const CAPABILITIES: readonly Card[] = [
  {
    said: ['coupon|promo|voucher|discountcode', 'apply|add|attach coupon|promo|voucher|discount'],
    of: SUBSCRIPTION,
    text: say`A coupon is put on a subscription by an edit: ${cops`subscriptions edit <who> -d coupon[0]=<name>`}`,
  },
  {
    said: ['discount|rebate|off|cheaper|reduction'],
    of: SUBSCRIPTION,
    text: say`The service has no discount for a number of renewals: a coupon stays on, and an amount until it is changed back: ${cops`subscriptions edit <who> -d coupon[0]=<code>`}, ${cops`subscriptions edit <who> --amount <amount>`}.`,
  },
  {
    said: [
      'cancel|stop|end|terminate at|on|date|when|after|later|schedule|eot|period|term|cycle',
      'cancel|stop|end|terminate end|renewal|future',
    ],
    of: SUBSCRIPTION,
    text: say`The service ends things at once, never at the end of a period or on a day to come: cancel shortly before the next renewal, which ${cops`subscriptions get <who>`} shows. ${cops`subscriptions suspend <who>`} stops renewals at once and can be undone.`,
  },
  {
    said: [
      `${CHANGE} card|cc|paymentmethod`,
      `${CHANGE} method|source payment|billing|card`,
      'add card|cc|paymentmethod',
      'expired card',
    ],
    of: ['customers', 'subscriptions', 'customer-cards', 'transactions'],
    text: say`A renewal takes the customer's default card. A new card, typed at a prompt: ${cops`customers add-card <who>`}. One that is on file: ${cops`customer-cards list --customer <who>`}, then ${cops`customer-cards set-default <id>`}.`,
  },
  {
    said: [
      `${CHANGE} plan|profile|frequency|interval|cycle|schedule|tier`,
      'upgrade|downgrade|crossgrade',
      'billing cycle|interval|frequency',
    ],
    of: SUBSCRIPTION,
    text: say`How often is the profile's, how much the amount: ${cops`subscriptions edit <who> --subscription-profile <name>`}, ${cops`subscriptions edit <who> --amount <amount>`}. A subscription keeps its product: for another one cancel it and sell that.`,
  },
  {
    said: [`${CHANGE} product|item|sku|variant|flavor|flavour`, 'swap|exchange|switch'],
    of: ['subscriptions'],
    text: say`A subscription keeps its product: it is cancelled, and the other one sold (${cops`sales create --help`}). Its price and schedule can change: ${cops`subscriptions edit --help`}.`,
  },
  {
    said: [`${CHANGE} price|amount|cost|fee`, 'raise|lower|reduce|increase', 'price'],
    of: ['subscriptions'],
    text: say`What renewals cost from now on: ${cops`subscriptions edit <who> --amount <amount>`}`,
  },
  {
    said: ['skip', 'skip next|once|month|renewal|delivery|box|shipment|payment|cycle'],
    of: SUBSCRIPTION,
    text: say`The next renewal is moved, and those behind it count from there: ${cops`subscriptions postpone <who> --by 1mo`}`,
  },
  {
    said: [`${CHANGE}|reschedule|shift date|day|renewal|billing|anchor`, 'bill|charge|renew on|day|date'],
    of: SUBSCRIPTION,
    text: say`The day of the next renewal: ${cops`subscriptions postpone <who> --until <day>`}`,
  },
  {
    said: ['reactivate|reopen|uncancel|restore|undo|revive|winback', 'undo|reverse cancel'],
    of: SUBSCRIPTION,
    text: say`What is suspended goes on: ${cops`subscriptions activate <who>`}. What is cancelled is so for good: sell it anew (${cops`sales create --help`}).`,
  },
  {
    said: ['quantity|qty|seats|units'],
    of: SUBSCRIPTION,
    text: say`A subscription has no quantity to edit here: its amount is ${cops`subscriptions edit <who> --amount <amount>`}.`,
  },
  {
    said: ['prorate|proration|prorated|usage|metered'],
    text: 'Nothing is prorated or metered by the service: renewals charge the amount of the subscription.',
  },
  {
    said: [`${CHANGE}|ship address|street|city|zip|postcode|shippingaddress|shipto`],
    of: ['subscriptions', 'shipping', 'sales'],
    text: say`Where renewals go from now on: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<name>`}. Where the customer lives: ${cops`customers edit <who> -d customer.address_line_1=<name>`}. What is on its way keeps its address.`,
  },
  {
    said: [`${CHANGE} address|street|city|zip|postcode`],
    of: ['customers'],
    text: say`An address has parts (customer.city, customer.state, customer.zip, customer.country): ${cops`customers edit <who> -d customer.address_line_1=<name>`}. Where renewals go: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<name>`}.`,
  },
  {
    said: [`${CHANGE}|rename name|surname|lastname|firstname|married`, 'rename'],
    of: ['customers'],
    text: say`A name has two parts: ${cops`customers edit <who> -d customer.last_name=<name>`} (and customer.first_name).`,
  },
  {
    said: [`${CHANGE} phone|telephone|mobile|number`],
    of: ['customers'],
    text: say`The phone number: ${cops`customers edit <who> -d customer.phone=<phone>`}`,
  },
  {
    said: ['merge|combine|dedupe|duplicate|join'],
    of: ['customers'],
    text: 'Two customers cannot be made one through this interface: note the other on each, and disable the one that is not used.',
  },
  {
    said: ['forget|gdpr|anonymize|anonymise|purge|wipe|erasure', 'delete|erase|remove data|person|account|everything'],
    of: ['customers'],
    text: say`The service deletes no customer. Nobody can be charged any more after ${cops`customers disable <who>`}; single fields are written over by ${cops`customers edit <who>`}.`,
  },
  {
    said: ['send|resend|email receipt|confirmation|invoice|mail|copy|again', 'resend|receipt|remind|reminder'],
    of: [
      '',
      'customers',
      'sales',
      'invoices',
      'smtp-messages',
      'transactions',
      'subscriptions',
      'product-sales',
      'shipping',
    ],
    text: say`Mail goes out by a template: ${cops`smtp-messages create --help`}. What was sent to somebody: ${cops`smtp-messages list --customer <who>`}.`,
  },
  {
    said: ['password|reset-password|login|signin|magic|impersonate|portal'],
    of: ['customers'],
    text: say`Customers have no password here: a portal sends them a code by mail: ${cops`customer-portals list`}`,
  },
  {
    said: ['subscribe|unsubscribe|optout|opt|marketing|newsletter'],
    of: ['customers'],
    text: say`Newsletters are not kept here. Renewals end with ${cops`subscriptions cancel <who>`}.`,
  },
  {
    said: [
      'why|explain|reason charge|declined|fail|failed|twice|double|billed|refused|overdue|suspended|happen',
      'charge|billed|paid twice|double|again|duplicate',
      'diagnose|troubleshoot',
    ],
    text: say`What failed, waits or looks doubled: ${cops`why <who>`}. All that happened: ${cops`timeline <who>`}`,
  },
  {
    said: ['void|reverse|undo'],
    of: ['transactions', 'subscription-renewals', 'product-sales', 'shipping', 'tax'],
    text: say`Only a whole order is voided, and its subscriptions end with it: ${cops`sales void <id>`}. A charge that went through is refunded: ${cops`transactions refund <who>`}`,
  },
  {
    said: ['void|reverse|undo'],
    of: [''],
    text: say`A whole order is voided, and its subscriptions end with it: ${cops`sales void <who>`}. A part is refunded: ${cops`product-sales refund <who> --latest`}`,
  },
  {
    said: ['retry|rerun|recharge|reattempt|recover|again', 'charge|collect again|failed|overdue|now'],
    of: ['transactions', 'customers', 'invoices', 'salvage-transactions', 'subscription-renewals'],
    text: say`What failed waits here: ${cops`salvage-transactions list --customer <who>`}, and ${cops`salvage-transactions process <id>`} charges it now. An overdue subscription is charged now by ${cops`subscriptions renew <who>`}.`,
  },
  {
    said: ['capture|authorize|authorise|settle|preauth|hold'],
    of: ['transactions', 'sales'],
    text: 'A sale is charged at once, or stays pending until it is processed (sales pending process); nothing is authorised for later capture here.',
  },
  {
    said: ['fight|respond|contest|represent|representment|evidence|accept|win|challenge|close'],
    of: ['chargebacks', 'transactions', 'wallet-disputes'],
    text: say`Evidence goes to the bank, not here. What is kept of the answer: ${cops`chargebacks edit --help`}. Those of one person: ${cops`chargebacks list --customer <who>`}`,
  },
  {
    said: ['track|trace|tracking|where|status|eta|arrive order|shipment|parcel|package|delivery|shipping|sale'],
    text: say`Parcels of one person, with their tracking numbers: ${cops`shipping list --customer <who>`}`,
  },
  {
    said: ['return|rma|exchange|replacement|reship|resend'],
    of: ['sales', 'shipping'],
    text: say`The service has no returns: what comes back is refunded (${cops`product-sales refund <who> --latest`}), what goes out again is a new sale (${cops`sales create --help`}).`,
  },
  {
    said: ['cancel|stop|reverse|undo refund'],
    text: say`A refund that was made cannot be taken back. Those under way: ${cops`pending-refunds list --customer <who>`}`,
  },
  {
    said: ['status|check|where|track refund'],
    text: say`Refunds under way: ${cops`pending-refunds list --customer <who>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|return|credit shipping|postage|delivery|freight'],
    text: say`What was paid for shipping: ${cops`shipping refund <who> --latest --amount <part>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|return|credit tax|vat'],
    text: say`What was paid as tax: ${cops`tax refund <who> --latest --amount <part>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|chargeback renewal|subscription|rebill'],
    text: say`What a renewal charged last: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All there is: ${cops`customers show <who>`}`,
  },
  {
    said: ['refund|moneyback|reimburse|repay'],
    of: ['', 'customers'],
    text: say`What was sold last: ${cops`product-sales refund <who> --latest --amount <part>`}. What a renewal charged last: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All there is: ${cops`customers show <who>`}`,
  },
  {
    said: ['credit|storecredit|goodwill|balance|giftcard|points|loyalty'],
    of: ['customers', 'subscriptions', 'sales', ''],
    text: say`The service keeps no credit of customers: a part is refunded (${cops`product-sales refund <who> --latest --amount <amount>`}), or a coupon given (${cops`coupons list`}).`,
  },
  {
    said: ['refund|moneyback|reimburse|repay'],
    of: ['trials'],
    text: say`A trial charges when it ends, and that payment is refunded: ${cops`transactions refund <who> --latest --amount <part>`}. What it charged: ${cops`trials get <who> --columns status,amount_gross,transactions`}.`,
  },
  {
    said: ['convert|now|charge|finish|end now|early|today', 'convert|activate'],
    of: ['trials'],
    text: say`A trial that ends now is charged now: ${cops`trials expire <who>`}`,
  },
  {
    said: ['extend|longer|prolong|add|postpone|delay'],
    of: ['trials'],
    text: say`A trial goes on for more days: ${cops`trials extend <who> --days <days>`}`,
  },
  {
    said: ['cancelled|churned|lost who|list|show|recent'],
    of: ['', 'subscriptions'],
    text: say`Who cancelled: ${cops`subscriptions list --status cancelled`}`,
  },
  {
    said: ['who|list|show hold|paused|suspended|frozen|held'],
    of: ['', 'subscriptions'],
    text: say`Who is paused: ${cops`subscriptions list --status suspended`}`,
  },
  {
    said: ['who|list|show overdue|late|owe|due|unpaid'],
    of: ['', 'subscriptions', 'customers'],
    text: say`Who is overdue: ${cops`subscriptions list --status overdue`}`,
  },
  {
    said: ['paymentlink|link|checkout|payurl|hosted'],
    of: ['sales', 'invoices', 'customers', 'products'],
    text: 'Payment pages are made in the web application, not through this interface; secure-forms create makes a form for a card.',
  },
];

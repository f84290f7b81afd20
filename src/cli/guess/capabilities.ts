import { TOLD_OTHERWISE } from '../../account/profiles/settings.js';
import { cops, say, type Text } from '../../base/text/command-line.js';

/** Also used for a word among the settings. */
const told = (word: string): Text => TOLD_OTHERWISE.find(({ called }) => called.test(word))?.says ?? '';

/** Something people ask for, however they word it, with the way to do it here or the reason it cannot be done. */
export interface Card {
  /**
   * The words people use for it, in any order: the line must have every word, or one of the alternatives between bars.
   * Words are compared by their stems, and the family of the line counts as one of them.
   */
  readonly said: readonly string[];
  /** Commands of the families it applies to; any family if absent. */
  readonly of?: readonly string[] | undefined;
  /** True where the service has no such thing: a body with a field of that name is refused with this answer. */
  readonly lacks: boolean;
  /**
   * The answer, with placeholders for typed values of the same meaning (`PLACES` in `card-hint.ts`): `<who>`,
   * `<amount>`, `<day>`; `<part>` and its option are dropped if the line has no sum. A sum with another meaning (`a
   * discount of 5`) is not filled in: `<new amount>`.
   */
  readonly text: Text;
}

const SUBSCRIPTION = 'subscriptions customers trials subscription-renewals';
const CHANGE = 'change|update|replace|swap|switch|set|edit|correct|fix|new|move';

/**
 * Cards by `families: one phrasing / another`; `-` is a line without a family, no families are any, and an exclamation
 * mark is in front of what the service lacks.
 */
const cardsOf = (rows: Readonly<Record<string, Text>>): readonly Card[] =>
  Object.entries(rows).map(([row, text]) => {
    const [, lacks, of, said = ''] = /^(!?)(?:([a-z -]+): )?(.*)$/i.exec(row) ?? [];
    const families = of?.replace('SUBSCRIPTION', SUBSCRIPTION).split(' ');
    return {
      said: said.replaceAll('CHANGE', CHANGE).split(' / '),
      of: families?.map((one) => (one === '-' ? '' : one)),
      lacks: lacks === '!',
      text,
    };
  });

/** Checked from the top: of two cards that fit equally, the first comes first. */
export const CAPABILITIES: readonly Card[] = cardsOf({
  'SUBSCRIPTION: coupon|promo|voucher|discountcode / apply|add|attach coupon|promo|voucher|discount': say`To put a coupon on a subscription, edit it: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}`,
  'SUBSCRIPTION: discount|rebate|off|cheaper|reduction': say`The service has no discount for a number of renewals: a coupon stays, and so does an amount until you change it back: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}, ${cops`subscriptions edit <who> --amount <new amount>`}.`,
  'SUBSCRIPTION: cancel|stop|end|terminate at|on|date|when|after|later|schedule|eot|period|term|cycle / cancel|stop|end|terminate end|renewal|future': say`The service cancels immediately, never at the end of a period or on a future day: cancel shortly before the next renewal, which ${cops`subscriptions get <who>`} shows. A trial charges when it ends (${cops`trials get <who>`}): before that, ${cops`trials cancel <who>`} ends it and its subscription. ${cops`subscriptions suspend <who>`} stops renewals immediately and can be undone.`,
  'customers subscriptions customer-cards transactions: CHANGE card|cc|paymentmethod / CHANGE method|source payment|billing|card / add card|cc|paymentmethod / expired card': say`All of a customer's subscriptions charge the default card. A new card, typed at a prompt: ${cops`customers add-card <who>`}. To make a stored one the default, by its last four digits: ${cops`customers payment-methods set-default <who> <card>`}; ${cops`customer-cards list --customer <who>`} shows them.`,
  'SUBSCRIPTION: CHANGE plan|profile|frequency|interval|cycle|schedule|tier / upgrade|downgrade|crossgrade / billing cycle|interval|frequency': say`The profile sets how often it renews, the amount how much it charges: ${cops`subscriptions edit <who> --subscription-profile <profile>`}, ${cops`subscriptions edit <who> --amount <new amount>`}. Its product can be changed only in the web application; otherwise end this one and sell the other.`,
  '!subscriptions: CHANGE product|item|sku|variant|flavor|flavour / swap|exchange|switch': say`The product of a subscription can be changed only in the web application. Otherwise end this one (${cops`subscriptions cancel --help`}) and sell the other (${cops`sales create --help`}). Its price and schedule can change: ${cops`subscriptions edit --help`}.`,
  'subscriptions: CHANGE price|amount|cost|fee / price': say`The price of renewals from now on: ${cops`subscriptions edit <who> --amount <amount>`}`,
  'subscriptions: raise|lower|reduce|increase': say`The full price of renewals from now on: ${cops`subscriptions edit <who> --amount <new amount>`}`,
  'subscriptions: renew amount|price|sum|part|partial|discount': say`A renewal charges the whole amount of the subscription. To change that amount from now on: ${cops`subscriptions edit <who> --amount <amount>`}.`,
  'sales: void amount|part|partial|partially|item|product': say`Only a whole order can be voided. To refund a part: ${cops`product-sales refund --help`}.`,
  'subscriptions customers subscription-renewals: skip / skip next|once|month|renewal|delivery|box|shipment|payment|cycle': say`Move the next renewal; later ones count from there: ${cops`subscriptions postpone <who> --by 1mo`}`,
  'SUBSCRIPTION: CHANGE|reschedule|shift date|day|renewal|billing|anchor / bill|charge|renew on|day|date': say`To set the day of the next renewal: ${cops`subscriptions postpone <who> --until <day>`}`,
  'subscriptions subscription-renewals: cancel|stop|end|terminate refund|moneyback|reimburse': say`Cancelling refunds nothing, and a refund cancels nothing: use two commands. Its renewals, the last of which you refund by its id: ${cops`subscription-renewals list --where subscription_id=<subscription> --all-time --latest`}, ${cops`subscription-renewals refund <renewal>`}. Then ${cops`subscriptions cancel <who>`}.`,
  'customers product-sales sales transactions: refund|moneyback|reimburse cancel|terminate|end': say`A refund cancels no subscription, and cancelling refunds nothing: use two commands. Current state: ${cops`customers show <who>`}.`,
  'SUBSCRIPTION -: reactivate|reopen|uncancel|restore|undo|revive|winback / undo|reverse cancel|cancellation': say`A suspended subscription continues with: ${cops`subscriptions activate <who>`}. A cancelled one cannot come back: sell it again (${cops`sales create --help`}).`,
  '!subscriptions trials: quantity|qty|seat|unit|piece': say`The quantity of a subscription cannot be changed here, but the full amount of its renewals can: ${cops`subscriptions edit <who> --amount <new amount>`}. Its current amount: ${cops`subscriptions get <who>`}.`,
  'SUBSCRIPTION sales product-sales transactions products subscription-profiles -: prorate|proration|prorated|usage|metered':
    'The service does not prorate or meter: renewals charge the amount of the subscription.',
  'subscriptions shipping sales: CHANGE|ship address|street|city|zip|postcode|shippingaddress|shipto': say`To change where renewals are sent: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<street>`}. The customer's own address: ${cops`customers edit <who> -d customer.address_line_1=<street>`}. Parcels already on their way keep their address.`,
  'customers: CHANGE address|street|city|zip|postcode': say`An address has parts (customer.city, customer.state, customer.zip, customer.country): ${cops`customers edit <who> -d customer.address_line_1=<street>`}. The address for renewals: ${cops`subscriptions edit <who> -d ship_to.address_line_1=<street>`}.`,
  'customers: CHANGE|rename name|surname|lastname|firstname|married / rename': say`A name has two parts: ${cops`customers edit <who> -d customer.last_name=<surname>`} (and customer.first_name).`,
  'customers: CHANGE phone|telephone|mobile|number': say`The phone number: ${cops`customers edit <who> -d customer.phone=<phone>`}`,
  'customers: merge|combine|dedupe|duplicate|join':
    'Customers cannot be merged through this interface: write a note on each about the other, and disable the unused one.',
  'customers: forget|gdpr|anonymize|anonymise|purge|wipe|erasure / delete|erase|remove data|person|account|everything': say`The service cannot delete customers. To stop all charges: ${cops`customers disable <who>`}. To overwrite single fields: ${cops`customers edit <who>`}.`,
  '- customers sales invoices smtp-messages transactions subscriptions product-sales: send|resend|email receipt|confirmation|invoice|mail|copy|again / resend|receipt|remind|reminder': say`Mail that the service sent automatically cannot be sent again through this interface: only a template with the trigger api_direct can be sent manually (${cops`smtp-messages create --help`}; list them: ${cops`email-templates list --where template_trigger=api_direct`}). Mail sent to a customer: ${cops`smtp-messages list --customer <who>`}.`,
  'customers: password|reset-password|login|signin|magic|impersonate|portal': say`Customers have no password here; a portal sends them a code by mail: ${cops`customer-portals list`}`,
  'customers: subscribe|unsubscribe|optout|opt|marketing|newsletter': say`The service keeps no newsletters, and no field of a customer stops mails. The mails it sends are its templates: ${cops`email-templates list`}. To end renewals: ${cops`subscriptions cancel <who>`}.`,
  'why|explain|reason charge|declined|fail|failed|twice|double|billed|refused|overdue|suspended|happen / charge|billed|paid twice|double|again|duplicate / diagnose|troubleshoot': say`Failures, pending items and possible duplicates: ${cops`why <who>`}. The whole history: ${cops`timeline <who>`}`,
  'transactions subscription-renewals product-sales shipping tax: void|reverse|undo': say`Only a whole order can be voided, which ends its subscriptions: ${cops`sales void <id>`}. To refund a completed charge: ${cops`transactions refund <who>`}`,
  '-: void|reverse|undo': say`Only a whole order can be voided, which ends its subscriptions: ${cops`sales void <who>`}. To refund a part: ${cops`product-sales refund <who> --latest`}`,
  'transactions customers invoices salvage-transactions subscription-renewals: retry|rerun|recharge|reattempt|recover|again / charge|collect again|failed|overdue|now': say`Failed payments wait here: ${cops`salvage-transactions list --customer <who>`}, and ${cops`salvage-transactions process <id>`} charges one now. To charge an overdue subscription now: ${cops`subscriptions renew <who>`}.`,
  'transactions sales: capture|authorize|authorise|settle|preauth|hold':
    'A sale is charged immediately, or stays pending until it is processed (sales pending process); nothing is authorised for later capture here.',
  'chargebacks transactions wallet-disputes: fight|respond|contest|represent|representment|evidence|accept|win|challenge|close': say`Evidence goes to the bank, not here. To record the answer: ${cops`chargebacks edit --help`}. Those of one customer: ${cops`chargebacks list --customer <who>`}`,
  'track|trace|tracking|where|status|eta|arrive order|shipment|parcel|package|delivery|shipping|sale': say`One customer's parcels, with tracking numbers: ${cops`shipping list --customer <who>`}`,
  'shipping: resend|reship|send|again': say`Parcels are sent by the fulfillment account, not through this interface: ask there for another one. A sale created for it charges immediately (${cops`sales create --help`}). One customer's parcels, with state and tracking: ${cops`shipping list --customer <who>`}.`,
  'sales: return|rma|exchange|replacement|reship|resend': say`The service has no returns: refund what comes back (${cops`product-sales refund <who> --latest`}), and create a new sale for what goes out again (${cops`sales create --help`}).`,
  'shipping: return|rma|exchange|replacement': say`The service has no returns: refund what comes back (${cops`product-sales refund <who> --latest`}).`,
  'pending-refunds: cancel|stop|reverse|undo|void|delete|revoke refund': say`A refund cannot be taken back once it is accepted, pending or processed: a new sale charges the customer again (${cops`sales create --help`}). Where it stands: ${cops`pending-refunds get <who>`}`,
  'cancel|stop|reverse|undo refund': say`A refund cannot be taken back once it is accepted, pending or processed. Refunds under way: ${cops`pending-refunds list --status pending --customer <who>`}`,
  'status|check|where|track refund': say`Refunds under way: ${cops`pending-refunds list --customer <who>`}`,
  'refund|moneyback|reimburse|return|credit shipping|postage|delivery|freight': say`To refund shipping: ${cops`shipping refund <who> --latest --amount <part>`}`,
  'refund|moneyback|reimburse|return|credit tax|vat': say`To refund tax: ${cops`tax refund <who> --latest --amount <part>`}`,
  'refund|moneyback|reimburse|chargeback renewal|subscription|rebill': say`To refund the last renewal: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All payments: ${cops`customers show <who>`}`,
  '- customers: refund|moneyback|reimburse|repay': say`To refund the last sale: ${cops`product-sales refund <who> --latest --amount <part>`}. To refund the last renewal: ${cops`subscription-renewals refund <who> --latest --amount <part>`}. All payments: ${cops`customers show <who>`}`,
  'customers subscriptions sales -: giftcard|voucher|points|loyalty|bonus': say`The service has no points or gift cards; give a coupon instead (${cops`coupons list`}).`,
  'customers subscriptions sales -: credit|storecredit|goodwill|balance': say`The service keeps no credit balance: refund a part (${cops`product-sales refund <who> --latest --amount <amount>`}), or give a coupon (${cops`coupons list`}).`,
  'trials: refund|moneyback|reimburse|repay': say`A trial charges when it ends; refund that payment: ${cops`transactions refund <who> --latest --amount <part>`}. What it charged: ${cops`trials get <who> --columns status,amount_gross,transactions`}.`,
  'trials: convert|now|charge|finish|end now|early|today / convert|activate': say`To end and charge a trial now: ${cops`trials expire <who>`}`,
  'trials: extend|longer|prolong|add|postpone|delay / extend week|month|by|for|another|more': say`To extend a trial: ${cops`trials extend <who> --days <days>`}`,
  '- subscriptions: cancelled|churned|lost who|list|show|recent': say`Who cancelled: ${cops`subscriptions list --status cancelled`}`,
  '- subscriptions: who|list|show hold|paused|suspended|frozen|held': say`Paused subscriptions: ${cops`subscriptions list --status suspended`}`,
  '- subscriptions customers: who|list|show overdue|late|owe|due|unpaid': say`Overdue subscriptions: ${cops`subscriptions list --status overdue`}`,
  '- customers profiles: user|colleague|employee|staff|teammate|operator|admin|administrator|coworker / role|permission|right|seat / invite user|colleague|member|admin|somebody / team member|user|role': say`Users and their rights are managed in the web application, not in this interface. What this key may do: ${cops`whoami --verbose`}. What may be written from here: ${cops`policy show`}. One set of records for a team: ${cops`team --help`}.`,
  '- sites user-shops: setting|preference|configuration / shop|company|account|store|site setting|currency|timezone|zone|name|logo|language|branding': say`The account's name, currency and time zone are set in the web application, not in this interface. Settings of this program: ${cops`config list`}. What this key can see of the account: ${cops`overview`}.`,
  '!products coupons subscription-profiles shipping-profiles: currency|currencies|isocurrency': say`Prices here have no currency; the gateway that charges them does (${cops`user-gateways list`}), and sales show it.`,
  '!coupons coupon-profiles: customer|person|user|buyer|client|people|account per|each|limit|max|maximum|use|once|one / first|new customer|buyer|order|sale|only': say`A coupon counts all its uses, never those of one customer: ${cops`coupons edit <coupon> -d max_uses=<n>`}. For one customer, create a coupon with a single use.`,
  '!tax-profiles: rate|percent|percentage|vat|country|region|state|zip|amount': say`A tax profile holds no rates: they come from the tax integration that it names (${cops`tax-profiles create --name <name> -d third_party_integration=<integration>`}); without one, nothing is taxed. List them: ${cops`user-third-party-integrations list`}.`,
  'sales invoices transactions product-sales subscription-renewals: mark|set|flag paid|unpaid|settled|captured / markpaid': say`Nothing can be marked as paid manually: charge a failed payment again (${cops`salvage-transactions list --customer <who>`}), or record a payment by other means as a sale of the offline type (${cops`sales create --help`}).`,
  // Common verbs for which a family has no action, and what the service can do instead.
  'trials: pause|freeze|hold|suspend|skip|stop while|for|until|pause / pause|freeze|hold|suspend|skip|lock': say`A trial cannot be paused: extend it, or cancel it for good. To extend it: ${cops`trials extend <who> --days <days>`}`,
  'subscriptions: extend|prolong|longer': say`A subscription runs until it is cancelled. To postpone its next renewal: ${cops`subscriptions postpone <who> --by 1mo`}`,
  'subscriptions trials sales customer-cards: transfer|gift|give|reassign|move': say`Nothing can move to another customer: cancel it, and sell it to the other one (${cops`sales create --help`}).`,
  'customers: block|ban|blacklist|blocklist': say`Nobody is blocked from here, but a disabled customer buys nothing and pays nothing: ${cops`customers disable <who>`}. Subscriptions wait meanwhile; to end them for good: ${cops`subscriptions cancel <who>`}`,
  'customers: tag|flag|label|segment|assign|mark|vip|categorize': say`Mark customers with groups (${cops`customers add-to-group <who> <group>`}; list them: ${cops`customer-groups list`}) and notes: ${cops`customers note <who> <text>`}`,
  'sales shipping product-sales: ship|fulfill|fulfil|dispatch|deliver|hold|reroute|redirect|pack|intercept': say`The fulfillment account sends parcels, not this interface. One customer's parcels, with state and tracking: ${cops`shipping list --customer <who>`}. To change the record of one: ${cops`shipping edit --help`}.`,
  'sales: approve|reject|complete|finish|confirm|accept|release|review': say`Only a pending order waits for approval: ${cops`sales pending process <id>`} charges it; voiding ends it. One customer's orders: ${cops`sales list --all-time --customer <who>`}`,
  'transactions: approve|charge|dispute|complete|authorise|authorize|block|cancel|delete': say`A card payment can only be read and refunded (${cops`transactions refund <who>`}). Charge a failed one again from ${cops`salvage-transactions list --customer <who>`}; chargebacks: ${cops`chargebacks list --customer <who>`}.`,
  'customer-cards: charge|bill|debit|authorize|authorise': say`A card is charged by a renewal (${cops`subscriptions renew <who>`}) or a sale (${cops`sales create --help`}), never on its own.`,
  'chargebacks: lose|dispute|refund|cancel|block|delete|appeal': say`A chargeback belongs to the bank: it cannot be refunded or closed from here. To record its outcome: ${cops`chargebacks edit --help`}. Those of one customer: ${cops`chargebacks list --customer <who>`}`,
  'products: restock|stock|inventory|instock|soldout|reserve': say`The service counts no stock. To take a product off sale: ${cops`products disable <product>`}.`,
  'products: hide|unpublish|discontinue|retire|withdraw': say`To take a product off sale: ${cops`products disable <product>`}. To put it back: ${cops`products enable <product>`}.`,
  'products: publish|unhide|launch|relist': say`To put a product on sale: ${cops`products enable <product>`}.`,
  'products: price|reprice|discount': say`To change the price of later sales: ${cops`products edit <product> --price <amount>`}. Running subscriptions keep theirs.`,
  'coupons: apply|redeem|use|assign|give': say`To put a coupon on a subscription, edit it: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}. To check whether it can be used: ${cops`coupons validate <coupon>`}`,
  'coupons: expire|end': say`End a coupon on a day (${cops`coupons edit <coupon> -d end_date=<day>`}), or immediately: ${cops`coupons edit <coupon> -d enabled=false`}`,
  'coupons: extend|prolong|renew': say`To set a coupon's last day: ${cops`coupons edit <coupon> -d end_date=<day>`}`,
  '-: key|apikey|token create|new|add|make|issue|generate|edit|change|limit|restrict|revoke|rotate|expire|delete|remove': say`Keys, their rights and their end are set in the web application, not in this interface. To refuse every write from here with the key of a profile: ${cops`profiles edit <name> --read-only`}`,
  'proxy|proxies|httpproxy|httpsproxy|noproxy': told('proxy'),
  'sales invoices customers products: paymentlink|link|checkout|payurl|hosted':
    'Payment pages are created in the web application, not through this interface; secure-forms create creates a form for a card.',
});

/** Cards for body fields only: as options, these words already get a whole line. */
export const OF_BODIES: readonly Card[] = cardsOf({
  'subscriptions: suspend|pause|hold|freeze until|till|end|resume|restart|reactivate|for|days|weeks|months|date': say`A suspension does not end automatically: ${cops`subscriptions activate <who>`} ends it. A pause with an end: ${cops`subscriptions postpone <who> --until <day>`}.`,
});

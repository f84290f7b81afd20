import { cops, say, type Text } from '../../base/text/command-line.js';

/** One thing that people ask for, in any words, and how to do it here or why it is impossible. */
export interface Card {
  /**
   * The words people use for it, in any order: the line must have every word, or one of the alternatives between bars.
   * Words are compared by their stems, and the family of the line counts as one of them.
   */
  readonly said: readonly string[];
  /** Commands of the families it applies to; any family if absent. */
  readonly of?: readonly string[];
  /** True where the service has no such thing: a body with a field of that name is refused with this answer. */
  readonly lacks?: true;
  /**
   * The answer, with placeholders for typed values of the same meaning (`PLACES` in `card-hint.ts`): `<who>`,
   * `<amount>`, `<day>`; `<part>` and its option are dropped if the line has no sum. A sum with another meaning (`a
   * discount of 5`) is not filled in: `<new amount>`.
   */
  readonly text: Text;
}

/** Common verbs for which a family has no action, and what the service can do instead. */
export const WITHOUT_ACTION: readonly Card[] = [
  {
    said: ['pause|freeze|hold|suspend|skip|stop while|for|until|pause', 'pause|freeze|hold|suspend|skip|lock'],
    of: ['trials'],
    text: say`A trial cannot be paused: extend it, or cancel it for good. To extend it: ${cops`trials extend <who> --days <days>`}`,
  },
  {
    said: ['extend|prolong|longer'],
    of: ['subscriptions'],
    text: say`A subscription runs until it is cancelled. To postpone its next renewal: ${cops`subscriptions postpone <who> --by 1mo`}`,
  },
  {
    said: ['transfer|gift|give|reassign|move'],
    of: ['subscriptions', 'trials', 'sales', 'customer-cards'],
    text: say`Nothing can move to another customer: cancel it, and sell it to the other one (${cops`sales create --help`}).`,
  },
  {
    said: ['block|ban|blacklist|blocklist'],
    of: ['customers'],
    text: say`Nobody is blocked from here, but a disabled customer buys nothing and pays nothing: ${cops`customers disable <who>`}. Subscriptions wait meanwhile; to end them for good: ${cops`subscriptions cancel <who>`}`,
  },
  {
    said: ['tag|flag|label|segment|assign|mark|vip|categorize'],
    of: ['customers'],
    text: say`Mark customers with groups (${cops`customers add-to-group <who> <group>`}; list them: ${cops`customer-groups list`}) and notes: ${cops`customers note <who> <text>`}`,
  },
  {
    said: ['ship|fulfill|fulfil|dispatch|deliver|hold|reroute|redirect|pack|intercept'],
    of: ['sales', 'shipping', 'product-sales'],
    text: say`The fulfillment account sends parcels, not this interface. One customer's parcels, with state and tracking: ${cops`shipping list --customer <who>`}. To change the record of one: ${cops`shipping edit --help`}.`,
  },
  {
    said: ['approve|reject|complete|finish|confirm|accept|release|review'],
    of: ['sales'],
    text: say`Only a pending order waits for approval: ${cops`sales pending process <id>`} charges it; voiding ends it. One customer's orders: ${cops`sales list --all-time --customer <who>`}`,
  },
  {
    said: ['approve|charge|dispute|complete|authorise|authorize|block|cancel|delete'],
    of: ['transactions'],
    text: say`A card payment can only be read and refunded (${cops`transactions refund <who>`}). Charge a failed one again from ${cops`salvage-transactions list --customer <who>`}; chargebacks: ${cops`chargebacks list --customer <who>`}.`,
  },
  {
    said: ['charge|bill|debit|authorize|authorise'],
    of: ['customer-cards'],
    text: say`A card is charged by a renewal (${cops`subscriptions renew <who>`}) or a sale (${cops`sales create --help`}), never on its own.`,
  },
  {
    said: ['lose|dispute|refund|cancel|block|delete|appeal'],
    of: ['chargebacks'],
    text: say`A chargeback belongs to the bank: it cannot be refunded or closed from here. To record its outcome: ${cops`chargebacks edit --help`}. Those of one customer: ${cops`chargebacks list --customer <who>`}`,
  },
  {
    said: ['restock|stock|inventory|instock|soldout|reserve'],
    of: ['products'],
    text: say`The service counts no stock. To take a product off sale: ${cops`products disable <product>`}.`,
  },
  {
    said: ['hide|unpublish|discontinue|retire|withdraw'],
    of: ['products'],
    text: say`To take a product off sale: ${cops`products disable <product>`}. To put it back: ${cops`products enable <product>`}.`,
  },
  {
    said: ['publish|unhide|launch|relist'],
    of: ['products'],
    text: say`To put a product on sale: ${cops`products enable <product>`}.`,
  },
  {
    said: ['price|reprice|discount'],
    of: ['products'],
    text: say`To change the price of later sales: ${cops`products edit <product> --price <amount>`}. Running subscriptions keep theirs.`,
  },
  {
    said: ['apply|redeem|use|assign|give'],
    of: ['coupons'],
    text: say`To put a coupon on a subscription, edit it: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}. To check whether it can be used: ${cops`coupons validate <coupon>`}`,
  },
  {
    said: ['expire|end'],
    of: ['coupons'],
    text: say`End a coupon on a day (${cops`coupons edit <coupon> -d end_date=<day>`}), or immediately: ${cops`coupons edit <coupon> -d enabled=false`}`,
  },
  {
    said: ['extend|prolong|renew'],
    of: ['coupons'],
    text: say`To set a coupon's last day: ${cops`coupons edit <coupon> -d end_date=<day>`}`,
  },
];

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
  /** True where the service has no such thing: a body with a field that is called so is refused with this answer. */
  readonly lacks?: true;
  /**
   * The answer, with placeholders for typed values of the same meaning (`PLACES` in `card-hint.ts`): `<who>`, `<amount>`,
   * `<day>`; `<part>` and its option are dropped if the line has no sum. A sum that means something else where it was
   * typed (`a discount of 5`) goes nowhere: `<new amount>`.
   */
  readonly text: Text;
}

/** Verbs of the trade that a family has no action for, and what the service can do instead. */
export const WITHOUT_ACTION: readonly Card[] = [
  {
    said: ['pause|freeze|hold|suspend|skip|stop while|for|until|pause', 'pause|freeze|hold|suspend|skip|lock'],
    of: ['trials'],
    text: say`A trial cannot be paused: it goes on for more days, or is cancelled for good. More days: ${cops`trials extend <who> --days <days>`}`,
  },
  {
    said: ['extend|prolong|longer'],
    of: ['subscriptions'],
    text: say`A subscription runs until it is cancelled. Its next renewal comes later with: ${cops`subscriptions postpone <who> --by 1mo`}`,
  },
  {
    said: ['transfer|gift|give|reassign|move'],
    of: ['subscriptions', 'trials', 'sales', 'customer-cards'],
    text: say`Nothing moves from one customer to another: it is cancelled, and sold to the other (${cops`sales create --help`}).`,
  },
  {
    said: ['block|ban|blacklist|blocklist'],
    of: ['customers'],
    text: say`Nobody is blocked from here, but a disabled customer buys nothing and pays nothing: ${cops`customers disable <who>`}. Subscriptions wait meanwhile; to end them for good: ${cops`subscriptions cancel <who>`}`,
  },
  {
    said: ['tag|flag|label|segment|assign|mark|vip|categorize'],
    of: ['customers'],
    text: say`People are marked by groups (${cops`customers add-to-group <who> <group>`}; which there are: ${cops`customer-groups list`}) and by notes: ${cops`customers note <who> <text>`}`,
  },
  {
    said: ['ship|fulfill|fulfil|dispatch|deliver|hold|reroute|redirect|pack|intercept'],
    of: ['sales', 'shipping', 'product-sales'],
    text: say`Parcels are sent by the fulfillment account, not from here. Those of one person, with state and tracking: ${cops`shipping list --customer <who>`}. What is kept of one is changed by ${cops`shipping edit --help`}.`,
  },
  {
    said: ['approve|reject|complete|finish|confirm|accept|release|review'],
    of: ['sales'],
    text: say`Only a pending order waits for anybody: ${cops`sales pending process <id>`} charges it; voiding ends it. Orders of one person: ${cops`sales list --all-time --customer <who>`}`,
  },
  {
    said: ['approve|charge|dispute|complete|authorise|authorize|block|cancel|delete'],
    of: ['transactions'],
    text: say`A card payment is only looked at and refunded (${cops`transactions refund <who>`}). What failed is charged again from ${cops`salvage-transactions list --customer <who>`}; what the bank takes back: ${cops`chargebacks list --customer <who>`}.`,
  },
  {
    said: ['charge|bill|debit|authorize|authorise'],
    of: ['customer-cards'],
    text: say`A card is charged by a renewal (${cops`subscriptions renew <who>`}) or a sale (${cops`sales create --help`}), never by itself.`,
  },
  {
    said: ['lose|dispute|refund|cancel|block|delete|appeal'],
    of: ['chargebacks'],
    text: say`A chargeback is the bank's: it is neither refunded nor ended from here. What is kept of it: ${cops`chargebacks edit --help`}. Those of one person: ${cops`chargebacks list --customer <who>`}`,
  },
  {
    said: ['restock|stock|inventory|instock|soldout|reserve'],
    of: ['products'],
    text: say`The service counts no stock. A product is taken off sale by ${cops`products disable <product>`}.`,
  },
  {
    said: ['hide|unpublish|discontinue|retire|withdraw'],
    of: ['products'],
    text: say`A product is taken off sale by ${cops`products disable <product>`}, and put back by ${cops`products enable <product>`}.`,
  },
  {
    said: ['publish|unhide|launch|relist'],
    of: ['products'],
    text: say`A product is put on sale by ${cops`products enable <product>`}.`,
  },
  {
    said: ['price|reprice|discount'],
    of: ['products'],
    text: say`The price of later sales: ${cops`products edit <product> --price <amount>`}. Subscriptions that run keep theirs.`,
  },
  {
    said: ['apply|redeem|use|assign|give'],
    of: ['coupons'],
    text: say`A coupon is put on a subscription by an edit: ${cops`subscriptions edit <who> -d coupon[0]=<coupon>`}. Whether it can be used: ${cops`coupons validate <coupon>`}`,
  },
  {
    said: ['expire|end'],
    of: ['coupons'],
    text: say`A coupon ends on a day (${cops`coupons edit <coupon> -d end_date=<day>`}), or at once: ${cops`coupons edit <coupon> -d enabled=false`}`,
  },
  {
    said: ['extend|prolong|renew'],
    of: ['coupons'],
    text: say`A coupon's last day: ${cops`coupons edit <coupon> -d end_date=<day>`}`,
  },
];

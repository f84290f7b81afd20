/** The words of a text, as a type. */
export type WordsIn<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | WordsIn<Rest> : Text;

/** A long list of words, written as a text. */
export const wordList = <Text extends string>(text: Text): readonly WordsIn<Text>[] =>
  text.split(' ') as WordsIn<Text>[];

/** The parts of a sale that can be refunded separately. */
export const REFUNDED_PARTS: readonly string[] = ['product_sales', 'shipping', 'tax'];

/** What a sale and its parts refer to (service.md#payments, the related id arrays), by relation word. */
export const OF_SALE = wordList(
  'customer sales product_sales shipping tax discounts trials subscriptions renewals invoices transactions salvage wallet_transactions offline_payments check_directs',
);

/** Where an item holds the ids for a relation word, if not only in the array of that name. */
export const RELATION_PLACES = {
  customer: ['customer.id', 'customer_id'],
  product: ['product.id'],
  subscription: ['subscription_id', 'subscriptions'],
  subscriptions: ['subscriptions', 'subscription_id'],
  renewals: ['subscription_renewals'],
  transactions: ['transactions', 'transaction_id'],
  salvage: ['salvage_transactions'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The field that holds the newest id of a list: the order of the list alone does not tell. */
export const NEWEST_PLACE: Readonly<Record<string, string>> = { renewals: 'billing.last_renewal_id' };

/** A word for a relation of an item. */
export type RelationWord = (typeof OF_SALE)[number] | keyof typeof RELATION_PLACES;

import { paymentTypeOf } from '../rules/payment-types.js';
import { listUnder, type Value } from '../store/item-values.js';
import { itemFilterValues } from '../store/list-filters.js';

/**
 * Whether an item passes all filters of an event (service.md#events). An empty filter passes everything; a filter on a
 * value that the item does not have does not pass. reading: event-filters
 */
export function passes(item: Value, filters: Value): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    if (!Array.isArray(wanted) || wanted.length === 0) return true;
    if (name === 'metadata_filter') return passesMetadata(item, wanted as Value[]);
    const words = wanted.map((one) => String((one as Value | null)?.id ?? one));
    const asked = name === 'payment_type_filter' ? words.map((word) => paymentTypeOf(word)?.id ?? word) : words;
    return itemFilterValues(name, item).some((value) => asked.includes(value));
  });
}

/** Every distinct name must match; several values of one name are alternatives (service.md#assistants). */
function passesMetadata(item: Value, wanted: readonly Value[]): boolean {
  const pairs = listUnder(item, 'metadata');
  const names = new Set(wanted.map(({ name }) => String(name)));
  return [...names].every((name) => {
    const values = wanted.filter((one) => one.name === name).map(({ value }) => String(value).trim());
    return pairs.some((pair) => pair.name === name && values.includes(String(pair.value).trim()));
  });
}

import { slicePage } from '../../json/slice.js';

/** An id as the service makes them. */
const ID = /^[A-Za-z0-9]{20}$/;

/**
 * The id of the item that an answer is about where that is not the one that was asked for; undefined where it is, or
 * where the answer does not tell.
 * @param asked the last id of the path
 */
export function otherItem(text: string, idField: string, asked: string | undefined): string | undefined {
  if (asked === undefined || !ID.test(asked) || !text.includes(JSON.stringify(idField))) return undefined;
  const told = slicePage(Buffer.from(text)).scalars.get(idField);
  return typeof told === 'string' && ID.test(told) && told !== asked ? told : undefined;
}

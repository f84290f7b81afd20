/** Any item of the service, as the rules see it. */
export type Value = Record<string, unknown>;

// Inside a JSON string every quote is escaped, so a bare `"amount…":` can only be a property.
const AMOUNT = /"((?:amount|price|cost|msrp)(?:_[a-z_]+)?)":(-?\d+(?:\.\d+)?)(?=[,}])/g;

/** The JSON text of an item; amounts always carry two decimals, as the service writes them. */
export function toText(value: Value): string {
  return JSON.stringify(value).replace(AMOUNT, (whole, name: string, digits: string) =>
    /\.\d{3}/.test(digits) ? whole : `"${name}":${Number(digits).toFixed(2)}`,
  );
}

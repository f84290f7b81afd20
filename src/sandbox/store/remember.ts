/** The cached value of a key, computed if missing; beyond `most` values, the oldest is dropped. */
export function cached<Known>(all: Map<string, Known>, most: number, key: string, make: () => Known): Known {
  const known = all.get(key) ?? make();
  if (all.size >= most && !all.has(key)) all.delete(all.keys().next().value as string);
  all.set(key, known);
  return known;
}

const open: { close(): unknown }[] = [];

/** Has something closed when the test that runs now has ended. */
export function closeAfterTest<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

/** Closes what the test left open, the last first. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

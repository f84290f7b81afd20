type RowsBy<Key extends string, Rows> = readonly {
  readonly [Name in keyof Rows]: Readonly<Record<Key, Name>> &
    (Rows[Name] extends string ? { readonly about: Rows[Name] } : Rows[Name]);
}[keyof Rows][];

/** Makes a list from rows: by the name of each, what it is about or all that is said of it. */
export const rowsBy =
  <Key extends string, Said>(key: Key) =>
  <const Rows extends Readonly<Record<string, string | Said>>>(rows: Rows): RowsBy<Key, Rows> =>
    Object.entries<string | Said>(rows).map(([name, row]) => ({
      [key]: name,
      ...(typeof row === 'string' ? { about: row } : row),
    })) as unknown as RowsBy<Key, Rows>;

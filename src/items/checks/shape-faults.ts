import { type ZodError, type ZodType, z } from 'zod';

/** A fault in a file: its place, as the steps of a path, and what is wrong. */
export interface PlacedFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The faults of a file: members that its format does not allow, and missing ones. */
const faultsOfShape = (error: ZodError): PlacedFault[] =>
  error.issues.flatMap((issue): PlacedFault[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: `${JSON.stringify(key)} is not allowed here` }));
  });

/** A file format: the check of a file's parsed content, and its JSON Schema for editors. */
export const fileFormat = <Content>(title: string, shape: ZodType<Content>) => ({
  check(value: unknown): { readonly content: Content } | { readonly faults: PlacedFault[] } {
    const read = shape.safeParse(value);
    return read.success ? { content: read.data } : { faults: faultsOfShape(read.error) };
  },
  schema: (): object => ({ title, ...z.toJSONSchema(shape, { target: 'draft-7' }) }),
});

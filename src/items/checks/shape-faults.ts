import type { ZodError } from 'zod';

/** A fault in a file: its place, as the steps of a path, and what is wrong. */
export interface PlacedFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The faults of a file: members that its format does not allow, and missing ones. */
export const faultsOfShape = (error: ZodError): PlacedFault[] =>
  error.issues.flatMap((issue): PlacedFault[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: `${JSON.stringify(key)} is not allowed here` }));
  });

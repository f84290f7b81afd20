import { usage } from '../errors/errors.js';

/** A JMESPath expression, checked and ready. */
export interface Query {
  run(value: unknown): unknown;
}

/**
 * Checks a `--query` expression and loads what runs it.
 *
 * @throws CopsError of kind `usage` for an expression that is not JMESPath
 */
export async function openQuery(expression: string): Promise<Query> {
  const { default: jmespath } = await import('jmespath');
  try {
    (jmespath as unknown as { compile(text: string): unknown }).compile(expression);
  } catch (error) {
    throw fault(expression, error);
  }
  return {
    run(value) {
      try {
        return jmespath.search(value, expression) ?? null;
      } catch (error) {
        throw fault(expression, error);
      }
    },
  };
}

function fault(expression: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return usage(
    `--query "${expression}" cannot be used: ${why}.`,
    "JMESPath, for example --query '[].{id: id, email: customer.email}' or --query '[?enabled].id'.",
  );
}

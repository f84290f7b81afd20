import { FAMILY_INDEX, filterOptions, loadFamily, pathParameters } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import { Item } from '../../../items/json/item-json.js';
import { typedOptions } from '../../../service/request/operation-options.js';
import type { Done } from '../../../session/context/context.js';
import { operationOptions, ownFilters } from '../../../session/operation/spec.js';

/** `cops commands`: every operation as data, for tools: how to call it, what it sends, what it risks. */
export async function run(): Promise<Done> {
  const items = async function* (): AsyncGenerator<Item> {
    for (const entry of FAMILY_INDEX) {
      const family = await loadFamily(entry.name);
      for (const operation of family.operations) {
        yield Item.of({
          family: entry.command,
          action: operation.action,
          summary: operation.summary,
          method: operation.method,
          path: operation.path,
          operation_id: operation.operationId,
          risk: operation.risk,
          permission: operation.permission ?? null,
          arguments: argumentsOf(operation),
          options: [
            ...operationOptions(family, operation).map(({ flags }) => flags.replace(/^-\w, /, '').replace(/ .*/, '')),
            ...filterOptions(operation).map((filter) => `--${filter.option}`),
            ...ownFilters(family, operation).map((filter) => `--${filter.option}`),
            ...(operation.method === 'POST' ? typedOptions(operation).map((option) => `--${option.flag}`) : []),
          ],
          fields: Object.keys(operation.body?.fields ?? {}),
          evidence: operation.evidence,
          example: `cops ${operation.example}`,
        });
      }
    }
  };
  const columns = ['family', 'action', 'method', 'path', 'risk', 'permission', 'evidence'].map((path) => ({ path }));
  return { result: { shape: 'list', items: items(), columns, idField: 'path' } };
}

/** Positional arguments in order: ids, then the term or text that an operation takes. */
function argumentsOf(operation: Operation): string[] {
  const terms = Object.entries(operation.query ?? {}).flatMap(([name, field]) => (field.positional ? [name] : []));
  return [
    ...pathParameters(operation),
    ...terms,
    ...(operation.positionalBody === undefined ? [] : [operation.positionalBody]),
  ];
}

import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Operation } from '../../catalogue/types.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';
import { pathParameters, readNear } from '../../service/request/request-plan.js';
import type { PreparedWrite } from './prepared-write.js';

/** The parts of a write that tell where its outcome can be seen. */
type SettledWrite = Pick<PreparedWrite, 'family' | 'operation' | 'ids' | 'body'>;

const CALLS = say`the calls of that minute: ${cops`api-calls list --last 1h`}`;

/** Most fields of an edit that are named. */
const MOST_FIELDS = 3;

/** What settles an unknown outcome: the read of the item and the field to look at, else the calls of that minute. */
export function settledBy(write: SettledWrite): Text {
  const { family, operation, ids } = write;
  const read = readNear(family, operation.action, ids);
  if (!read) return say`Look at ${CALLS}.`;
  const command = cops`${family.name.replaceAll('_', '-')} ${read.action.split(' ')} ${ids.slice(0, pathParameters(read).length)}`;
  if (lastWord(operation) === 'delete' && pathParameters(read).length === ids.length) {
    return say`Look whether it is still there: ${command}; or at ${CALLS}.`;
  }
  return say`Look at ${fieldsOf(write).join(', ') || 'the item'} in: ${command}; or at ${CALLS}.`;
}

/** Fields of the item that show whether it was done; none where no field is known to. */
function fieldsOf({ family, operation, body }: SettledWrite): readonly string[] {
  const { preview, wait, shownBy } = operation;
  if (preview?.refund) return ['amount_refunded'];
  if (shownBy !== undefined) return [shownBy];
  if (wait && wait.idFrom === undefined && wait.read.family === family.name) return [wait.field];
  const word = lastWord(operation);
  if (word === 'edit') {
    const names = Object.keys(body).filter((name) => name !== 'idempotency_key' && !isSecretName(name));
    const read = names.map((name) => operation.body?.fields[name]?.readFrom ?? name);
    return read.length > 0 && read.length <= MOST_FIELDS ? read : ['updated_date_unix'];
  }
  if (word === 'enable' || word === 'disable') return ['enabled'];
  if (word === 'set-default') return ['is_default'];
  return family.columns.some(({ path }) => path === 'status') ? ['status'] : [];
}

function lastWord(operation: Operation): string {
  return operation.action.split(' ').at(-1) ?? '';
}

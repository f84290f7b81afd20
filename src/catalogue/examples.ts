import type { Family, Operation } from './types.js';

/** Handwritten examples for the most used commands; all others are generated from the kind of operation. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  'sales list': ['sales list --last 7d --columns id,customer.email,amount_total', 'sales list --last 90d -o csv'],
  'sales get': ['sales get ID --with customer', 'sales get ID -o json --query amount_total'],
  'sales void': ['sales void ID --dry-run', 'sales void ID --yes -o json'],
  'subscriptions list': [
    `subscriptions list --last 1y --query "[?status=='overdue'].id"`,
    'subscriptions list --last 90d -o csv --columns id,customer.email,amount',
  ],
  'subscriptions get': ['subscriptions get ID --with customer', 'subscriptions get ID -o json --query status'],
  'subscriptions edit': [
    'subscriptions edit ID --next-renewal-date 2030-01-15T10:00:00Z',
    'subscriptions edit ID -d ship_to.city=Berlin --dry-run',
  ],
  'subscriptions suspend': ['subscriptions suspend ID --dry-run', 'subscriptions suspend ID --yes -o json'],
  'subscriptions cancel': ['subscriptions cancel ID --dry-run', 'subscriptions cancel ID --yes -o json'],
  'subscriptions renew': ['subscriptions renew ID --dry-run', 'subscriptions renew ID --yes -o json'],
  'customers list': [
    'customers list --last 30d --columns id,email,created_date_unix',
    'customers list --last 30d -o csv',
  ],
  'customers get': ['customers get ID --columns id,email', 'customers get ID -o json --query email'],
  'customers edit': [
    'customers edit ID -d customer.email=jane@example.com',
    'customers edit ID -d customer.first_name=Jane --dry-run',
  ],
  'customers add-to-group': ['customers add-to-group katarzyna.rossi.23@example.com Wholesale'],
  'customers remove-from-group': ['customers remove-from-group katarzyna.rossi.23@example.com Wholesale'],
  'customers search': ['customers search Smith -o json', 'customers search Smith --columns id,email'],
  'products list': ['products list --columns id,name,price', 'products list --last 1y -o csv'],
  'subscription-renewals list': [
    'subscription-renewals list --last 7d',
    'subscription-renewals list --last 30d -o csv --columns id,customer.email,amount_total',
  ],
  'subscription-renewals refund': [
    'subscription-renewals refund ID --dry-run',
    'subscription-renewals refund ID --yes -o json',
  ],
  'product-sales refund': ['product-sales refund ID --amount 5.00 --dry-run', 'product-sales refund ID --yes -o json'],
  'transactions list': ['transactions list --last 7d', 'transactions list --last 30d -o csv'],
  'pending-refunds list': ['pending-refunds list --last 7d', 'pending-refunds list --last 90d -o csv'],
  'chargebacks list': ['chargebacks list --last 1y', 'chargebacks list --last 90d -o csv'],
};

/** Examples per action. */
const MANY = 3;

/** Three runnable examples of an operation, without the leading `cops`, most frequent first. */
export function examplesOf(family: Pick<Family, 'name' | 'columns' | 'idField'>, operation: Operation): string[] {
  const command = `${family.name.replaceAll('_', '-')} ${operation.action}`;
  const { example } = operation;
  const base = wordsOf(example, command);
  const id = base.slice(command.length).trim().split(' ')[0] ?? '';
  const written = Object.hasOwn(WRITTEN, command) ? (WRITTEN[command] ?? []) : [];
  const lines = [
    example,
    ...written.map((line) => line.replace(/\bID\b/, () => id)),
    ...usual(family, operation, base),
  ];
  return [...new Set(lines)].slice(0, MANY);
}

function usual(family: Pick<Family, 'columns' | 'idField'>, operation: Operation, base: string): string[] {
  const { example, list } = operation;
  const columns = columnsOf(family, operation);
  if (list?.style === 'windowed')
    return [`${base} --last 90d`, `${base} --last 30d -o csv`, `${base} --limit 5 -o ids`];
  if (list) return [base, `${base} -o csv`, `${base} --columns ${columns}`];
  if (operation.method === 'GET') {
    const along = Object.keys(operation.related ?? {})[0];
    return [
      base,
      `${base} -o json`,
      along ? `${base} --with ${along.replaceAll('_', '-')}` : `${base} --columns ${columns}`,
    ];
  }
  if (operation.risk === 'read') return [`${example} -o json`, `${example} -o csv`, `${example} --dry-run`];
  const verb = operation.action.split(' ').at(-1);
  if (verb === 'create') return [`${base} --skeleton`, `${example} --dry-run`, `${example} -o ids`];
  return [`${example} --dry-run`, `${example} --yes -o json`, `${example} -o ids`];
}

/** Two columns worth seeing. */
function columnsOf(family: Pick<Family, 'columns' | 'idField'>, operation: Operation): string {
  const all = (operation.columns ?? family.columns).map(({ path }) => path);
  return all.slice(0, 2).join(',') || family.idField;
}

/** The words of an example before its options: the command with its ids. */
function wordsOf(example: string, command: string): string {
  const rest = example.slice(command.length).trim();
  const at = rest.search(/(^|\s)-{1,2}[a-zA-Z]/);
  return `${command} ${at < 0 ? rest : rest.slice(0, at)}`.trim();
}

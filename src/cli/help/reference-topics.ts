/** Topics of `cops reference`, in the order in which it lists them, with what each holds. */
export const REFERENCE_TOPICS = {
  events: 'account events, and the filters that each takes',
  'payment-types': 'payment types with their fixed ids and filter values',
  'error-codes': 'error codes whose condition is known',
  statuses: 'HTTP statuses of the service',
  'body-codes': 'the `code` of an answer',
  'exit-codes': 'exit codes of cops',
  settings: 'settings of a profile, with their options, variables and defaults',
  states: 'named states of resources',
  'product-types': 'types of products',
  limits: 'limits of the service',
  relations: 'references from and to the items of each family, or of the one you name',
  permissions: 'permissions of restricted keys (sixteen resources are known)',
  addresses: 'addresses that the service calls from, for allow-lists',
  sandbox: 'test cards and state changes of the embedded service, and where it is our own interpretation',
} as const;

export type ReferenceTopicName = keyof typeof REFERENCE_TOPICS;

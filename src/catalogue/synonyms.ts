import { cops, type Placeholder, placeholder, say, type Text } from '../base/text/command-line.js';
import { wordList } from './references.js';
import { DECLINE_REASONS, TEST_CARDS } from './terms.js';

/**
 * Words that people in the trade type where the service or this tool uses another. A real family, command, action or
 * option always wins; a synonym only applies to an unknown word. Plain data, loaded when a word is not recognised.
 */

/** Where a word occurs on the command line. */
export type WordPlace = 'command' | 'action' | 'option';

export interface Synonym {
  readonly words: readonly string[];
  /**
   * What to type instead, ready to paste: a command line without `cops`, an action, or an option with its dashes. `{}`
   * marks the place of the value if it does not simply follow.
   */
  readonly means?: string;
  /** Other actions it may mean, in order, for a family without the action in `means`. */
  readonly or?: readonly string[];
  /** The option that `means` also requires; added unless it was typed already. */
  readonly needs?: string;
  /** True for an exact synonym: on a read it is used directly, with a note. */
  readonly same?: true;
  /** The action that a list with this option becomes. */
  readonly acts?: string;
  /** The element in a body's list that the option's value fills, where a body needs that list. */
  readonly field?: string;
  /** The action that takes that list, where the user typed `edit`. */
  readonly edits?: string;
  /** One sentence, where there is no equivalent here or more to explain. */
  readonly says?: Text;
  /** The sentence to use where `means` is not available. */
  readonly otherwise?: Text;
  /** True where a typing slip must not match: for live mode, or skipping a question. */
  readonly exact?: true;
  /** True for a word that only reading commands accept. */
  readonly reads?: true;
  /** The figure it asks for in a list, unless a number follows. */
  readonly figure?: 'avg' | 'max' | 'min';
}

/** What to do instead of waiting for a state, which no command does. */
const waiting = (family: string | Placeholder): Text =>
  say`No command waits for a state. A shell loop does, until the first read that fails: while s=$(${cops`${family} get <who> --query status`}) && [ "$s" != '"<state>"' ]; do sleep 5; done`;
const MEDIAN =
  'select currency, paid_minor as median_minor from (select currency, paid_minor, row_number() over (partition by currency order by paid_minor) as place, count(*) over (partition by currency) as n from payments) where place = (n + 1) / 2';
const WAITING = waiting(placeholder('<family>'));

/** Words, with blanks between them, and what they stand for. */
const called = (words: string, meant: Omit<Synonym, 'words'>): Synonym => ({ words: words.split(' '), ...meant });

export const SYNONYMS: Readonly<Record<WordPlace, readonly Synonym[]>> = {
  command: [
    called('wait wait-for poll await', { says: waiting('subscriptions') }),
    called('subs sub recurring memberships membership rebills recurrings', { means: 'subscriptions', same: true }),
    called('orders order purchases purchase checkouts checkout', { means: 'sales', same: true }),
    called('order-items line-items items order-lines lines', { means: 'product-sales' }),
    called('payments payment pay charges charge txns txn trx authorizations captures', { means: 'transactions' }),
    called('rebillings billings renewals renewal instalments installments', {
      means: 'subscription-renewals',
      same: true,
    }),
    called('refund give-back', {
      says: say`Refund the item paid for: ${cops`product-sales`}, shipping, tax or subscription-renewals refund <id>. To find out what an id is: ${cops`find <id>`}. Pending ones: ${cops`pending-refunds list`}.`,
    }),
    called('refunds money-back', {
      means: 'pending-refunds',
      same: true,
      says: 'Refund the item paid for: product-sales, shipping, tax or subscription-renewals refund.',
    }),
    called('disputes dispute cb cbs reversals', { means: 'chargebacks', same: true }),
    called('wallets wallet', { means: 'wallet-accounts' }),
    called('buyers buyer clients client people contacts subscribers members', { means: 'customers', same: true }),
    called('cards card credit-cards payment-methods pms', { means: 'customer-cards', same: true }),
    called('segments segment audiences groups', { means: 'customer-groups', same: true }),
    called('skus sku goods offers offer catalog catalogue inventory', { means: 'products' }),
    called('categories category collections collection', { means: 'product-groups' }),
    called('plans plan billing-plans billing-cycles price-plans schedules', { means: 'subscription-profiles' }),
    called('promos promo vouchers voucher promotions discount-codes promo-codes', { means: 'coupons', same: true }),
    called('shipments shipment deliveries delivery parcels tracking', { means: 'shipping', same: true }),
    called('carriers carrier couriers courier', { means: 'site-shipping-providers' }),
    called('shipping-rates shipping-methods rates', { means: 'shipping-profiles' }),
    called('warehouses warehouse 3pl fulfillment fulfilment', { means: 'fulfillment-accounts' }),
    called('taxes vat sales-tax', { means: 'tax', same: true }),
    called('gateways gateway merchant-accounts mids mid processors processor acquirers', { means: 'user-gateways' }),
    called('routing payment-routing cascades cascade payment-flows', { means: 'payment-profiles' }),
    called('dunning retries declines decline failed-payments recovery', { means: 'salvage-transactions' }),
    called('fraud frauds fraud-alerts risk', { means: 'fraud-detections' }),
    called('firewall', { means: 'sentinel' }),
    called('bins bin card-prefixes', { means: 'bin-profiles' }),
    called('shops shop stores store storefronts', { means: 'user-shops' }),
    called('integrations apps connections plugins', { means: 'user-third-party-integrations' }),
    called('portals portal self-service', { means: 'customer-portals' }),
    called('domains domain dns ssl', { means: 'tracking-domains' }),
    called('utm utms url-parameters link-parameters', { means: 'url-parameter-sets' }),
    called('templates template mail-templates', { means: 'email-templates' }),
    called('messages mails emails email sent-mails outbox', {
      means: 'smtp-messages',
      says: say`Their texts: ${cops`email-templates list`}.`,
    }),
    called('smtp mail-servers', { means: 'smtp-profiles' }),
    called('scripts hooks code lambdas', { means: 'functions' }),
    called('webhooks webhook callbacks', {
      means: 'functions',
      says: 'Events are not sent out: a function with event source account_event runs inside the service.',
    }),
    called('assistants bots agents automations workflows flows', { means: 'ai-assistants' }),
    called('alerts memos', { means: 'ai-memos' }),
    called('prompts', { means: 'ai-prompts' }),
    called('calls phone-calls', { means: 'ai-voice-calls' }),
    called('requests audit-log audit api-log logs', { means: 'api-calls' }),
    called('settings-store variables kv key-value-store', { means: 'key-values' }),
    called('tags labels custom-fields', { means: 'metadata' }),
    called('campaign-list brands funnels', { means: 'campaigns' }),
    called('comments comment', { means: 'notes' }),
    called('events-list event-types events', { means: 'reference events' }),
    called('errors error-codes', { means: 'reference errors' }),
    called('stats statistics dashboard summary status', { means: 'overview' }),
    called('watch follow tail stream', { means: 'sales tail', same: true }),
    called('man manual docs guide', { means: 'help' }),
    called('auth signin sign-in connect init setup-key', { means: 'login' }),
    called('signout sign-out disconnect', { means: 'logout' }),
    called('me account whoami-key', { means: 'whoami', same: true }),
    called('check-up diagnose diagnostics self-test', { means: 'doctor' }),
    called('request curl raw call', { means: 'api' }),
    called('dump backup download extract', { means: 'export' }),
    called('mirror replicate', { means: 'sync' }),
    called('batch mass import-csv', { means: 'bulk' }),
    called('preferences prefs', { means: 'config' }),
    called('environments envs contexts accounts', { means: 'profiles' }),
    called('mock fake demo playground', { means: 'sandbox' }),
    called('log journal past', { means: 'history', same: true }),
    called('search lookup grep locate', { means: 'find', same: true }),
    called('version ver', { means: '--version', same: true }),
    called('upgrade self-update', { means: 'update' }),
    called('payouts payout settlements deposits', {
      says: "Not available: this interface does not report a gateway's payouts; wallet-accounts list shows the wallet.",
    }),
    called('carts cart abandoned-carts', { means: 'sales list --status pending', says: 'Carts are pending sales.' }),
    called('analytics metrics kpis', { means: 'overview' }),
    called('landing-pages websites', {
      says: 'Not available: pages are created in the web application; campaigns list shows where customers come from.',
    }),
    called('api-keys api-key keys key tokens token', {
      says: say`Keys, their rights and their end are set in the web application, not in this interface. Profiles that store keys here: ${cops`profiles list`}`,
    }),
    called('uninstall', {
      says: say`npm uninstall -g cops removes the program; ${cops`config path`} shows the folders it leaves.`,
    }),
    called('exit quit', { says: 'cops runs one command and ends; there is nothing to exit.' }),
    called('languages locale', {
      says: 'cops speaks English; --tz and --excel follow your zone and your spreadsheet program.',
    }),
    called('commands-list operations', { means: 'commands' }),
    called('use switch select-profile', { means: 'profiles use' }),
    called('diff compare', { means: 'setup diff', same: true }),
    called('promote deploy migrate', { means: 'setup promote' }),
    called('pull', { means: 'setup pull' }),
    called('push apply', { means: 'setup apply' }),
    called('serve server', { means: 'sandbox serve' }),
    called('seed fixtures', {
      says: say`The sandbox is created on first use. ${cops`sandbox reset --help`} explains how to recreate it, and what is lost.`,
    }),
    called('mrr arr monthly-recurring-revenue', { means: 'report mrr', same: true }),
    called('churn attrition', { means: 'report churn', same: true }),
    called('revenue turnover income takings', { means: 'report revenue', same: true }),
    called('retention cohorts cohort', { means: 'report retention', same: true }),
    called('ltv clv lifetime-value', { means: 'report ltv', same: true }),
    called('close month-end closing bookkeeping', { means: 'report close' }),
    called('schema schemas skeleton model', {
      says: say`${cops`<family> create --skeleton`} prints a template, ${cops`<family> create --help`} tells its fields.`,
    }),
    called('undo rollback revert', {
      says: say`Past writes are shown by ${cops`history list`}, and the answer to a write ends with the line that undoes it, if there is one. To revert a set-up, apply the older files: ${cops`setup apply`}.`,
    }),
  ],
  action: [
    called('wait wait-for poll await', { says: WAITING }),
    called('ls all index browse', { means: 'list', same: true }),
    called('show view read describe info details fetch retrieve inspect', { means: 'get', same: true }),
    called('new add make insert register', { means: 'create' }),
    called('update change modify set patch put', { means: 'edit' }),
    called('rm remove destroy del erase archive', { means: 'delete' }),
    called('find lookup query grep filter', { means: 'search', or: ['list'] }),
    called('count', { means: 'list', needs: '--count' }),
    called('export dump download latest recent history', { means: 'list' }),
    called('stream live monitor', { means: 'tail', or: ['list'] }),
    called('validate verify lint test', { means: 'check', or: ['validate', 'get'] }),
    called('duplicate clone', { means: 'copy', or: ['create'], says: 'A copy may go to another profile.' }),
    called('sort reorder', { means: 'list' }),
    called('mark-read read-all acknowledge ack', { means: 'mark-as-read', or: ['get'] }),
    called('blacklist blocklist', { means: 'add-fraud-alert', or: ['disable', 'create'] }),
    called('on unblock reactivate unlock unban unfreeze whitelist', { means: 'enable', or: ['activate'] }),
    called('off block ban lock deactivate', { means: 'disable', or: ['suspend'] }),
    called('pause hold freeze stop', {
      means: 'suspend',
      or: ['disable'],
      says: say`A suspension does not end automatically: activate ends it. For a pause with an end: ${cops`subscriptions postpone <who> --by 1mo`}`,
    }),
    called('resume unpause unsuspend restart start', { means: 'activate', or: ['enable', 'renew'] }),
    called('terminate end unsubscribe', { means: 'cancel', or: ['delete'] }),
    called('abort', { means: 'cancel', or: ['void'] }),
    called('rebill charge bill bill-now retry collect', { means: 'renew', or: ['process', 'create'] }),
    called('return reimburse credit repay give-back', { means: 'refund', or: ['void'] }),
    called('run invoke execute fire call', { means: 'trigger', or: ['query', 'process'] }),
    called('skip delay defer push reschedule move change-date snooze', { means: 'postpone', needs: '--by 1mo' }),
    called('track trace status where', { means: 'get' }),
    called('prolong lengthen', { means: 'extend' }),
    called('convert finish', { means: 'expire' }),
    called('undo annul reverse', { means: 'void', or: ['refund'], exact: true }),
    called('quote preview calculate price', { means: 'estimate' }),
  ],
  option: [
    called('split split-by partition partition-by per-month by-month', {
      says: say`${cops`export <family> --year 2026 --format csv --out <folder>/`} writes a file a month.`,
    }),
    called('expect expect-count assert-count', {
      says: say`A list expects nothing; ${cops`<family> list --count`} prints the number to compare: [ "$(${cops`<family> list --count`})" = 0 ]. A bulk run takes --expect <count>.`,
    }),
    called('overlay overlays env-file var-file', {
      says: 'For overlays, use `environments:` in cops.setup.yaml: variables for each profile:mode, chosen by the profile and mode of the line.',
    }),
    called('since', { means: '--from', same: true }),
    called('start start-date after date-start begin', { means: '--from' }),
    called('until', { means: '--to', same: true, otherwise: WAITING }),
    called('wait wait-for poll', { says: WAITING }),
    called('end end-date before date-end till', { means: '--to' }),
    called('day on date on-day created created-on created-at', { means: '--from {} --to {}', same: true }),
    called('days', { means: '--last {}d', same: true, exact: true }),
    called('past period within', { means: '--last', exact: true }),
    called('format out-format', { means: '-o', same: true }),
    called('as', { means: '-o' }),
    called('json', { means: '-o json', same: true }),
    called('jsonl ndjson', { means: '-o jsonl', same: true }),
    called('csv', { means: '-o csv', same: true }),
    called('tsv', { means: '-o tsv', same: true }),
    called('yaml', { means: '-o yaml', same: true }),
    called('table', { means: '-o table', same: true }),
    called('ids ids-only', { means: '-o ids' }),
    called('order-by sort-by orderby', { means: '--sort' }),
    called('match where-field condition', { means: '--where' }),
    called('search search-term', {
      says: say`To search for words: ${cops`<family> search <term>`}. For anything else: ${cops`find <term>`}.`,
    }),
    called('no-colour', { means: '--no-color' }),
    called('color colour', { says: 'Colours appear only on a terminal; --no-color turns them off.' }),
    called('help-me usage man', { means: '--help' }),
    called('max', { means: '--limit', figure: 'max' }),
    called('top head count-limit max-items first rows take max-results', { means: '--limit' }),
    called('limit', { means: '--top' }),
    called('per-page page-limit batch-size', { means: '--page-size' }),
    called('fields select cols show', { means: '--columns' }),
    called('jq jmespath filter-by', { means: '--query' }),
    called('env account context', { means: '--profile' }),
    called('production prod live-mode', { says: 'Live mode is --live.', exact: true }),
    called('sandbox-mode test-mode staging', { means: '--test' }),
    called('simulate preview no-send noop dryrun', { means: '--dry-run' }),
    called('force assume-yes no-confirm confirm', {
      says: 'Answer every question with --yes; nothing else can be forced.',
      exact: true,
    }),
    called('silent no-output', { means: '--quiet' }),
    called('trace log-level', { means: '--debug' }),
    called('timezone time-zone zone', { means: '--tz' }),
    called('url host endpoint server', { means: '--base-url' }),
    called('retries retry', { means: '--max-retries' }),
    called('stop-after stop-after-failures max-errors stop-on-failures fail-after', {
      means: '--max-failures',
      same: true,
    }),
    called('next upcoming coming due due-in', {
      means: '--next',
      otherwise: say`To see what is coming up: ${cops`subscriptions list --next 7d`}, ${cops`trials list --next 7d`}, ${cops`coupons list --next 7d`}. Each lists an item once, however often it is charged in that time.`,
    }),
    called('group groups add-group to-group', {
      means: '--group-by',
      field: 'customer_group[0]',
      edits: 'add-to-group',
      otherwise: say`Groups have actions of their own: ${cops`customers add-to-group <who> -d 'customer_group[0]'=<value>`}`,
    }),
    called('last newest most-recent recent last-one', { means: '--latest', same: true }),
    called('last-per newest-per latest-by last-by latest-of latest-per-each distinct unique distinct-on', {
      means: '--latest-per',
    }),
    called('latest', {
      means: '--sort=-created --limit 1',
      same: true,
      otherwise: say`Refunds and lists take --latest for the newest one; here you need its id: ${cops`<family> list <of-whom> --all-time --latest`}`,
    }),
    called('maximum largest highest biggest', {
      figure: 'max',
      says: 'A list shows the largest first with --sort=-amount, and that of each group by max(amount) after --group-by.',
    }),
    called('min minimum smallest lowest', {
      figure: 'min',
      says: 'A list shows the smallest first with --sort amount, and that of each group by min(amount) after --group-by.',
    }),
    called('avg average mean averages', {
      figure: 'avg',
      says: say`Average payments, by product, kind, campaign or month: ${cops`report aov --by product <range>`}.`,
    }),
    called('median percentile quantile', {
      says: say`The middle of all payments so far, in each currency (for a month, add a condition on day inside): ${cops`sql ${MEDIAN}`}. Averages: ${cops`report aov <range>`}.`,
    }),
    called('enabled enabled-only only-enabled', { means: '--where enabled=true', same: true }),
    called('disabled disabled-only only-disabled', { means: '--where enabled=false', same: true }),
    called('active-only only-active', { means: '--where status=active', same: true }),
    called('half', { means: '--amount 50%', same: true, otherwise: 'Half of what? A refund takes --amount 50%.' }),
    called('percent percentage', { says: 'Give a percentage as the amount: --amount 50%.' }),
    called('full whole full-amount', { says: 'Without --amount, everything left is refunded.' }),
    called('customer-group customer-groups', {
      field: 'customer_group[0]',
      says: say`${cops`customers add-to-group <who> -d 'customer_group[0]'=<value>`} puts a customer into a group.`,
    }),
    called('customer person buyer client who', {
      means: '--customer',
      otherwise: say`For one customer: ${cops`customers show <who>`} shows everything, ${cops`timeline <who>`} what happened.`,
      reads: true,
    }),
    called('product sku', {
      means: '--product',
      otherwise: say`Products are on the lines of orders: ${cops`product-sales list --product=<value>`}`,
      reads: true,
    }),
    called('address street postal-address', {
      says: say`An address has parts: ${cops`customers edit <id> -d customer.address_line_1=<value>`} (then customer.city, customer.state, customer.zip and customer.country).`,
    }),
    called('error-rate fail-rate failure-rate error-share fail chaos flaky', {
      means: '--fault 500={}',
      same: true,
      otherwise: say`Failed calls: ${cops`api-calls list --status failed`}. Failed payments: ${cops`report failures`}.`,
    }),
    called('for during', {
      means: '--customer',
      otherwise: say`A suspension does not end automatically: ${cops`subscriptions activate <who>`} ends it. For a pause with an end: ${cops`subscriptions postpone <who> --by 1mo`}.`,
    }),
    called('failed failures errors errors-only failed-only', {
      says: say`Failed calls: ${cops`api-calls list --status failed`}. Failed payments: ${cops`report failures`}.`,
    }),
    called('watch follow tail stream', {
      acts: 'tail',
      says: say`To watch new items of an event list as they arrive, use tail: ${cops`sales tail`}, ${cops`transactions tail`}. ${WAITING}`,
    }),
    called('today', { means: '--from today', same: true }),
    called('yesterday', { means: '--from yesterday --to yesterday', same: true }),
    called('parallel threads workers jobs', { means: '--concurrency' }),
    called('file json-body payload input-file from-file', { means: '--body' }),
    called('field param set property', { means: '-d' }),
    called('edit interactive', { means: '--editor' }),
    called('everything no-limit unlimited', { means: '--all' }),
    called('asc ascending reverse', { means: '--oldest-first' }),
    called('key idempotency request-id', { means: '--idempotency-key' }),
    called('expand include embed related', { means: '--with' }),
    called('api-key token apikey secret', {
      says: say`A key never goes on the command line: ${cops`login asks`} for it.`,
    }),
  ],
};

/** Synonyms for the actions of our own commands; an empty list for what the command does without an action. */
const ACTIONS_OF: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  setup: {
    apply: ['push', 'deploy', 'up', 'run', 'execute'],
    plan: ['status', 'preview', 'changes'],
    pull: ['export', 'dump', 'download', 'sync', 'fetch', 'get', 'save'],
    init: ['new', 'create', 'start'],
    promote: ['copy', 'migrate', 'move', 'publish', 'release'],
    check: ['validate', 'lint', 'verify', 'test'],
    diff: ['compare'],
    import: ['add', 'adopt'],
  },
  sandbox: {
    serve: ['start', 'run', 'up', 'server', 'listen'],
    reset: ['clean', 'wipe', 'fresh'],
    status: ['info', 'show', 'list'],
    runs: ['logs', 'log'],
    outbox: ['mails', 'emails', 'mail'],
    clock: ['time', 'date', 'advance'],
    trigger: ['fire', 'emit'],
  },
  bulk: {
    'retry-failed': ['retry', 'again', 'rerun', 'retry-all'],
    resume: ['continue', 'go-on', 'restart'],
    status: ['show', 'info', 'progress'],
    report: ['rows', 'results'],
    list: ['ls', 'journals', 'runs'],
  },
  profiles: {
    add: ['create', 'new'],
    use: ['switch', 'select', 'set', 'activate', 'default'],
    show: ['get', 'view', 'describe'],
    remove: ['delete', 'rm', 'del'],
    edit: ['update', 'change'],
    rename: ['mv', 'move'],
    list: ['ls', 'all'],
  },
  config: { list: ['ls', 'show', 'all'], unset: ['remove', 'delete', 'rm'], get: ['read'], path: ['where', 'folder'] },
  policy: {
    add: ['set', 'new', 'create', 'deny', 'forbid', 'block', 'limit', 'restrict', 'disallow', 'cap'],
    show: ['list', 'ls', 'get'],
    check: ['test', 'try'],
    remove: ['delete', 'rm'],
  },
  history: { list: ['ls', 'all'], show: ['get', 'view'], settle: ['resolve', 'mark'] },
  alias: { set: ['add', 'new', 'create'], unset: ['remove', 'delete', 'rm'], list: ['ls', 'show'] },
  openapi: { pull: ['get', 'download', 'fetch', 'update'], check: ['diff', 'compare'], show: ['print', 'cat'] },
  completion: { install: ['setup', 'enable', 'add'], uninstall: ['remove', 'disable'] },
  mcp: { install: ['setup', 'add', 'register', 'config'], '': ['start', 'serve', 'run', 'server', 'stdio'] },
};

/** Actions that our own commands lack though people expect them, each with the way to do it. */
export const NO_ACTIONS: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  events: {
    receive: say`cops has no receiver: write your own, or use any Standard Webhooks library. To watch events as they happen: ${cops`events listen`}. To forward them to a receiver: ${cops`events listen --forward-to http://127.0.0.1:8099/hook`}. To check what a receiver got: ${cops`events verify --help`}`,
  },
};

/** The action of one of our own commands that a word stands for; undefined for an unknown synonym. */
export function actionOfCommand(command: string, word: string): string | undefined {
  const actions = Object.hasOwn(ACTIONS_OF, command) ? ACTIONS_OF[command] : undefined;
  return Object.entries(actions ?? {}).find(([, words]) => words.includes(word.toLowerCase()))?.[0];
}

export interface TurnedLine {
  readonly family: string;
  readonly words: readonly string[];
  /** A less likely action of the family: the command line is offered only with an option that no action takes. */
  readonly hints?: string;
  /** Options whose value may be `{1}`, with the suffix it needs: `{}mo` for a number of months. */
  readonly options?: Readonly<Record<string, string>>;
  /** The form that `{0}` must have; any other means something else. */
  readonly first?: RegExp;
  /**
   * The form that `{1}` must have; any other means something else. `{1}` may then span several words, and is the
   * capture.
   */
  readonly second?: RegExp;
  /** The intended command line; `{0}` and `{1}` are the words after the action. */
  readonly line: readonly string[];
}

const PAUSES: readonly string[] = wordList(
  'pause hold freeze snooze skip delay defer push move reschedule change-date',
);

/** Two words after an action that have exactly one meaning, in other words than ours. */
const TURNED: readonly TurnedLine[] = [
  {
    family: 'notes',
    words: ['add', 'new', 'write', 'create', 'make', 'leave'],
    // An id may belong to anything that takes notes.
    first: /@|\s|^C-/,
    line: ['customers', 'note', '{0}', '{1}'],
  },
  {
    family: 'customer_groups',
    words: ['add-customer', 'add-member', 'add-to-group', 'add-user', 'assign'],
    line: ['customers', 'add-to-group', '{1}', '-d', 'customer_group[0]={0}'],
  },
  {
    family: 'customer_groups',
    words: ['add', 'join', 'insert'],
    first: /@|^C-/,
    line: ['customers', 'add-to-group', '{0}', '-d', 'customer_group[0]={1}'],
  },
  {
    family: 'customer_groups',
    words: ['add', 'join', 'insert'],
    second: /^(\S+@\S+|C-\d+)$/,
    line: ['customers', 'add-to-group', '{1}', '-d', 'customer_group[0]={0}'],
  },
  {
    family: 'customer_groups',
    words: ['remove-customer', 'remove-member', 'remove-from-group', 'remove-user', 'unassign'],
    line: ['customers', 'remove-from-group', '{1}', '-d', 'customer_group[0]={0}'],
  },
  {
    family: 'customers',
    words: ['add-group', 'join', 'join-group', 'assign-group', 'to-group', 'group'],
    line: ['customers', 'add-to-group', '{0}', '-d', 'customer_group[0]={1}'],
  },
  {
    family: 'customers',
    words: ['remove-group', 'leave', 'leave-group', 'ungroup'],
    line: ['customers', 'remove-from-group', '{0}', '-d', 'customer_group[0]={1}'],
  },
  {
    family: 'subscriptions',
    words: PAUSES,
    hints: 'suspend',
    options: {
      ...{ '--for': '{}', '--by': '{}', '--during': '{}' },
      ...{ '--days': '{}d', '--weeks': '{}w', '--months': '{}mo', '--years': '{}y' },
    },
    second:
      /^(?:\+ ?|for |by )?((?:\d+ ?|an? |two |three |four |six )(?:d|w|m|mo|q|y|days?|weeks?|months?|quarters?|years?))$/i,
    line: ['subscriptions', 'postpone', '{0}', '--by', '{1}'],
  },
  {
    family: 'subscriptions',
    words: PAUSES,
    hints: 'suspend',
    options: { '--until': 'until {}', '--till': 'until {}', '--to': 'until {}', '--date': '{}', '--on': '{}' },
    // A span counts from today only where it ends the pause: `until 2w`.
    second:
      /^(?:(?:until|till|to) )?((?:\d{4}-\d\d|next |tomorrow|end of |the end of |(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2} [a-z]{3}|[a-z]{3,9} \d).*|(?<=(?:until|till|to) )(?:\+ ?|in )?\d+ ?(?:d|w|m|mo|q|y|days?|weeks?|months?|quarters?|years?)(?: from now)?)$/i,
    line: ['subscriptions', 'postpone', '{0}', '--until', '{1}'],
  },
  {
    family: 'sales',
    words: ['refund', 'money-back'],
    options: { '--item': '{}', '--product': '{}', '--line': '{}' },
    first: /^#?[A-Za-z]{0,4}-?\d+$/,
    second: /^(\D.*)$/,
    line: ['product-sales', 'refund', '{0}', '--item', '{1}'],
  },
  {
    family: 'products',
    words: ['set-price', 'price', 'reprice', 'change-price', 'update-price'],
    options: { '--to': '{}', '--price': '{}' },
    second: /^\d\S*$/,
    line: ['products', 'edit', '{0}', '--price', '{1}'],
  },
  {
    family: 'customers',
    words: ['set-email', 'change-email', 'update-email'],
    options: { '--to': '{}', '--email': '{}' },
    second: /^\S+@\S+$/,
    line: ['customers', 'edit', '{0}', '--email', '{1}'],
  },
];

/** The rewrites for an action that a family does not have. */
export function turnedLines(family: string, action: string): TurnedLine[] {
  return TURNED.filter((one) => one.family === family && (one.words.includes(action) || one.hints === action));
}

/** True where the two words after the action fit the rewrite; the second may span several words. */
export function isTurned({ first, second }: TurnedLine, [one = '', ...others]: readonly string[]): boolean {
  if (others.length === 0 || (others.length > 1 && !second)) return false;
  return (first?.test(one) ?? true) && (second?.test(others.join(' ')) ?? true);
}

/** The rewrite that the words after a family's action fit; undefined where none does. */
export function lineMeant(family: string, action: string, given: readonly string[]): TurnedLine | undefined {
  return turnedLines(family, action).find((one) => one.hints !== action && isTurned(one, given));
}

/** The synonym for an unknown word in its place; undefined where there is none. */
export function synonymOf(place: WordPlace, word: string): Synonym | undefined {
  const spoken = word.toLowerCase().replaceAll('_', '-').replace(/^-+/, '');
  return SYNONYMS[place].find(({ words }) => words.includes(spoken));
}

/** Everyday words for things that the service does not have, with what to know instead. */
export const TRADE_TERMS: readonly {
  readonly words: readonly string[];
  readonly meaning: string;
  readonly more: Text;
}[] = [
  {
    words: ['insufficient', 'insufficient funds', 'nsf', 'decline reason', 'decline reasons', 'decline code'],
    meaning: DECLINE_REASONS,
    more: say`Cards that fail in test mode: ${cops`explain "test cards"`}; to make a declined payment: ${cops`sandbox trigger sale.created.failed.declined`}`,
  },
  {
    words: ['test card', 'test cards'],
    meaning: TEST_CARDS.map(({ number, says }) => `${number}: ${says}`).join('; '),
    more: 'For test mode only.',
  },
  {
    words: ['fetch', 'http request', 'http requests'],
    meaning: 'No documentation says that a function can reach the network; in the sandbox it cannot.',
    more: say`To send events to an address of your own: ${cops`events listen --forward-to http://localhost:3000/hooks`}`,
  },
  {
    words: ['webhook', 'webhooks', 'endpoint', 'endpoints', 'callback url'],
    meaning: 'The service posts events to no address; a function bound to an event runs inside the service.',
    more: say`To bind one: ${cops`functions deploy refund.js --name "On refund" --event pending_refund.created`}; to forward events from this machine: ${cops`events listen --forward-to http://localhost:3000/hooks`}`,
  },
];

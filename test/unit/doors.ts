/**
 * The files of each wing, by room, that other wings may import; all others are the wing's own. Who needs one more puts
 * it here, and asks first whether what it gives belongs into one that is here already.
 */
export const DOORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  base: {
    database: `child engines open postgres postgres-address postgres-faults read-query types`,
    errors: `errors nearest`,
    files: `lock read-file replace-file temporary-folder typed-path`,
    text: `command-line replace-pieces rows`,
    time: `month-names periods range range-options spans spoken-days units when zones`,
    '': `in-parallel own-process random transport world`,
  },
  catalogue: {
    '': `body-fields check-names conventions event-types examples field-words fields help-groups index leaf-types option-names
      payment-schedule permissions references relations synonyms terms types value-formats`,
  },
  items: {
    checks: `automation-checks body-faults describe-fault flow interpret-schemas scenario-shape seed-shape
      shape-faults validate`,
    json: `item-json lossless parse-json pick-values scan tree`,
    schema: `catalogue learn types`,
    secrets: `mask-body redact secret-fields`,
    select: `amounts condition decimals due fold follow fulfils group-figures groups joined literal-marks made-filters names order seen-values select
      states value-list values`,
    text: `inert numbered times typed-value width`,
  },
  screen: {
    '': `column-names html-page meter notes output-formats paged pager-command render row-lines spreadsheets style table table-columns types`,
  },
  service: {
    body: `body-changes data-path gather input-text parse-yaml quoting-help skeleton`,
    http: `base-url client pacer post-to read request-log retry send-write service-clock service-refusal`,
    lists: `account-begin growing-lists read-list window-reading windows`,
    openapi: `compare-descriptions description-files document schema types unknown`,
    request: `operation-options pager request-plan wallet`,
  },
  sandbox: {
    automation: `event-object function-engine`,
    rules: `cards readings transitions`,
    serve: `description embedded index embedded-keys injected-faults`,
    store: `item-store item-values kinds open-store snapshots`,
    trigger: `index`,
  },
  account: {
    history: `entries types`,
    journal: `journal-lines state types`,
    policy: `file gate judge parse policy-schema rule-fields types verbs`,
    profiles: `bound command event-secrets faults glance keychain keys profile-names resolve setting-checks settings store tls-files
      types`,
    safety: `as-sent decide proofs question`,
    'seen-ids': `ids`,
    team: `open-team team team-setup types`,
    '': `account-records given-target kept-files`,
  },
  session: {
    context: `context global-options key-input line-flags lines opened-sandbox probe-key run settled-dates spec
      typed-words`,
    joins: `kept-rows line-joins read-values roads`,
    lookup: `account-head answer-timeline ask find-anything look meanings open-row person why`,
    names: `body-references line-names many-names natural-keys order-parts people resolve-name`,
    operation: `spec`,
    read: `every-page first-day kept-list list pick-row range-of read-items reading reads-as-curl service-description
      still-fits told-selection typed-headers`,
    write: `answer-text body-input check-body dry-run dry-run-remarks edit edited-fields goes-on limited-history percent prepared-write rest-of-order taken-name team-account
      try-function wait write write-end`,
  },
  bulk: {
    '': `binding engine input journals list-journals reconcile-journal run-journal send-row send-slots service-time
      several-ids stops types`,
  },
  setup: {
    '': `families promote setup-commands setup-options shape-references`,
  },
  data: {
    changes: `answer-changes`,
    events: `account-event forward-events listeners sign-event taking`,
    export: `export-list formats types verified`,
    given: `csv-records given-tables`,
    mirror: `ask-mirror describe-mirror keep-mirror kept-lists mirror-asker mirror-in-use mirror-query outdated-mirrors
      own-mirror query-families saved-queries sync-lists views`,
    overview: `answer-overview`,
    reconcile: `answer-reconcile payout-roles`,
    report: `answer-report report-names report-options spoken`,
    scenarios: `first-scenarios read-scenarios record-scenario results-text run-scenario service-copy
      setup-coverage update-scenarios watched-files`,
  },
  cli: {
    completion: `complete`,
    help: `help root-help`,
    parser: `alias`,
    plugins: `run-on-streams`,
    program: `program report`,
  },
};

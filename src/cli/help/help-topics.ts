import { VARIABLES } from '../../account/profiles/settings.js';
import { EXIT_MEANINGS } from '../../base/errors/errors.js';
import { FORMATS } from '../../screen/output-formats.js';
import { QUOTING_HELP } from '../../service/body/quoting-help.js';

/** Help topics about all commands. Plain text, printed unchanged. */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

${exitRows()}

If several apply: 9 before 10 before 130. After a 9, check before you repeat: cops history list --unknown
names the write, and repeating it needs --again.
`,
  dates: `Dates and ranges

  --from <when> --to <when>    2026-01-31, 2026-01-31T10:00, RFC 3339, unix seconds, now, today, yesterday, 90d,
                               2026-01, 2026-Q1, 2026, "last month", "this week", september, "1 september",
                               friday, "last tuesday", "end of month", "the 15th", 15.1.2027
  --last <span>                12h, 30d, 6w, 3mo, 1q, 1y: the range that ends now
  --month <month>              2026-01, september, last, this; likewise --week, --quarter and --year

A date, month or year alone means its first second in --from and its last one in --to, in the time zone in use: --tz,
COPS_TZ, the profile, or this machine's. Any span is allowed: cops cuts it into windows that the service
accepts (90 days, for some families 7 or 2) and reads every window completely, newest first unless --oldest-first.
Without a range, a list of events (sales, renewals, logs) takes the last 30 days. A list of people or set-up
(customers, subscriptions, products) and every export take everything, from the first day of the account: cops looks it
up once, and --first-day sets it. A note names the range. --all-time takes everything of any list; --no-range
sends a list without dates. Only lists whose --help shows it have it: the others need dates or have
none. A month without a year is the last that has begun. 3m is refused: write 3mo for months, 3min for minutes. The
same words work in conditions (--where 'created>=2026-01') and, except a month without a year, in bodies for an instant:
2026-12-21 means the start of that day, or its last second in a field that is an end. A note names instant and zone.
`,
  filters: `Filters

Each filter is an option named after the query parameter without "_filter". Repeat it for alternatives:

  cops subscription-renewals list --last 90d --currency EUR --currency USD
  cops products list --product-type trial --last 1y
  cops subscription-renewals list --metadata channel=web --metadata vip      (vip: carries the name)
  cops subscription-renewals list --customer CUSTOMER_ID

--help of a list shows its filters, their allowed values, and which of them cops applies itself. Any list takes:

  --where status=overdue --where 'amount>20' --where customer.email~@example.com      (= != > < >= <= ~ contains)
  --where status=active,overdue --where 'name="Tea, green",Mug' --where 'amount>20 or status=overdue'      (any of them)
  --where customer.country=CAN --where 'card.expires<{next_renewal}'      (related rows; a field in braces)
  --with 'subscriptions status=active' --without 'sales created>-90d'      (rows that belong to an item)
  --sort -amount,created      --count      --group-by currency,created:month --sum amount --having 'count>1'

get --with customer,product is different: it shows the items that one item names. cops reference relations lists the words.

All of them work on every item in the range: a terminal only limits what it shows, and says how many there are. Texts are
compared without regard to case, numbers exactly, and amounts of different currencies are never added up.
`,
  output: `Output

  -o ${FORMATS.join('|')}   default: table on a terminal, json otherwise
  --columns id,customer.email            which columns, dotted paths
  --query <JMESPath>                     over the whole result: --query "[?status=='active'].id"
  --wide                                 do not cut columns to the terminal
  --raw                                  the service's answers unchanged
  --csv-safe                             keep spreadsheets from reading csv and tsv cells as formulas
  --times unix                           csv and tsv: times as received, not ISO 8601 in the zone in use
  --excel                                csv and tsv as the spreadsheet program of your locale opens them
  --no-pager                             print long answers straight to the terminal

A table, record or text longer than the screen goes through a pager: COPS_PAGER, or the setting
(cops config set pager "less -FRX", or off), or PAGER, or less. Never in a pipe, in CI or with --no-input.

Without --columns, csv and tsv have the columns of a wide table; json, jsonl and yaml have every field.
Only data goes to standard output; notes, progress, questions and errors go to standard
error. json is one document, all or nothing; jsonl, csv, tsv and ids stream. Digits stay as received.
`,
  profiles: `Profiles, keys and modes

  cops login                                    asks for what is missing, keys masked
  cops profiles add acme --base-url https://api.example.com/v2 --test-key env:ACME_TEST --live-key @live.key
  cops profiles use acme;  cops -p acme ...;  cops mode test|live;  cops whoami --verbose

Give a key as env:NAME, @file, - (standard input) or cmd:<command line>; never as a word of the line.
Precedence: flags, then ${VARIABLES.join(' ')},
then the profile, then defaults. The profile "sandbox" always exists: the service inside this program.

cops reference settings tells of every setting, cops config list where its value comes from; cops config set
read_only true changes one. cops config set columns.customers name,email names the columns of a list, cops config export
and import take settings and aliases to another machine, without keys.
Ids that lists showed are kept on this machine for completion (id, name and date, by profile and mode), until
cops logout, profiles remove or completion forget. COPS_ID_CACHE=0 or cops config set id_cache false keeps none.
COPS_CONFIG_DIR and COPS_DATA_DIR move the folders of the configuration and of the data. Where neither can be written in (no
home folder, a read-only disk), reads and setup plan work with COPS_API_KEY and COPS_BASE_URL; what must keep something
ends with 11 and names the variable.
`,
  quoting: `Quoting: how to write bodies for each shell

${QUOTING_HELP}

Quote a path with brackets (rates[0].rate) and a text with spaces everywhere; cmd.exe only takes
double quotes. @ in front of a value means a file; @@ means a real @.
`,
  'bulk-runs': `Many items at once

  cops subscriptions cancel ID1 ID2 ID3                    several ids: one bulk run
  cops subscriptions list -o ids | cops subscriptions cancel - --yes --expect 40
  cops bulk customers edit --input rows.csv -d first_name={first_name} --journal run.journal
  cops bulk status|resume|retry-failed|reconcile|report run.journal

Each row's intent and idempotency key are on disk before its request leaves, its result afterwards: you can resume
after any stop, and no row knowingly runs twice. Unknown rows are listed, never repeated: bulk reconcile looks them up.
`,
  exports: `Exports

  cops export subscription-renewals --from 2026-01-01 --to 2026-06-30 --out renewals.jsonl
  cops export sales --last 1y --out sales.parquet           the ending decides the format, or --format
  cops export sales --since-last --out sales.jsonl          only what is new since the last run
  cops sync copies/ customers sales subscriptions            keep copies up to date

The same command continues after any stop. FILE.manifest.json has windows, counts and checksums; exit code 10 means
that a window could not be proven complete. cops export status|verify|merge work on existing files.

Columns are learnt: the family's known fields, then those of the first 250 items, by path, in the order first seen.
Types only widen: integer, decimal, boolean, time, id, text, list, object. They are settled before the first row,
survive any stop, are written into the manifest, and are remembered for the profile's next export.
A later field gets a column in SQLite and in a folder's next file. In one csv, xlsx or Parquet file it goes into
_other, as does a value that its column would change; the manifest has the command that adds a column for it.
  cops export sales --shard 2/2 --schema s1.csv.manifest.json ... --out s2.csv     the columns of another export
`,
  live: `Live mode

Test is the default. --live (or mode live) uses the live key for real money. In live mode, and with a key
whose mode no item has proven yet, operations of risk "money" and "irreversible" ask first; for "irreversible"
you type the id. Without a terminal they need --yes. A profile with read_only refuses every write.
An item whose live_mode contradicts the mode of the key stops the command: exit code 12.
`,
  scripting: `Scripting

  ids=$(cops subscriptions list --last 30d -o ids)
  cops subscriptions list -o ids | cops subscriptions suspend - --yes --expect 12 --live
  cops sales get SALE_ID -o json | jq .amount_total
  cops subscriptions cancel ID -o json || echo "exit code $?"

With -o json an error is the last line of standard error: {"error":{"kind","message","http_status",...}}.
Every write carries an idempotency key and leaves a line in cops history. Nothing is repeated blindly:
exit code 9 means check first. --no-input never asks. Closing the pipe (| head) ends a read with code 0.
`,
  proxy: `Proxy and certificates

  HTTPS_PROXY=http://proxy.example:3128        in the environment (or https_proxy): every line goes through it
  NO_PROXY=internal.example,10.0.0.5:8443      hosts to reach without it; * for all
  NODE_EXTRA_CA_CERTS=/etc/ssl/office.pem      certificates of a proxy that intercepts TLS
  cops profiles edit acme --ca-file /etc/ssl/acme-ca.pem      authorities of one service, and --client-cert, --client-key

No setting and no option names a proxy. cops doctor shows which variables are set, a password in an address masked;
cops doctor --online tests the connection to the service. The sandbox uses no network.
In a container, on a read-only disk or without a home: COPS_CONFIG_DIR and COPS_DATA_DIR (cops help profiles).
`,
  privacy: `Privacy: what this machine stores

Keys are stored where login said. They, card numbers and credentials appear nowhere else: not in traces, dry runs,
history or errors. This machine also stores:

  history and journals     every write: time, ids, body without secrets, outcome, and --reason; cops history list
  ids for completion       id, name and date of what lists showed: cops config set id_cache false, cops completion forget
  mirrors                  a copy of the account, including people's data: cops config set mirror never keeps none
  exports, lists in files  where you put them

cops logout forgets a profile's keys and ids. Nothing is sent to anybody but the service of the profile and the
addresses that you name (update_url, a team's database). Only you can read the files.
To see what the service has about a person: cops customers show WHO --all. It cannot delete customers: cops customers disable WHO.
`,
  files: `Files: what is stored where

The folder of the configuration (cops config path names the file in it; COPS_CONFIG_DIR moves it):

  config.json              profiles, settings, aliases, and where keys are
  policy.yaml              limits on what may be written from here
  history                  the record of writes, one file per month
  queries, columns         saved queries, and saved columns of payout files
  openapi                  descriptions from cops openapi pull

The folder of the data (COPS_DATA_DIR moves it):

  sandbox.sqlite           the sandbox; cops sandbox reset lays it out again
  journals, runs           bulk runs, for resume; keep what is not finished
  snapshots, closes        saved states of the sandbox, locked months; keep them
  mirrors                  copies of accounts, one SQLite file each
  ids, schemas, pace       for completion, export columns and request pace: safe to delete
  setup                    what was last applied, by folder

Exports, set-ups and your own files stay where you put them. Only you can read the folders. cops config files
lists every place, what it holds, and whether it may be deleted.
`,
  limits: `Limits

The service: 25 items per page, 90 days per window (some lists 7 or 2), idempotency keys remembered for 24 hours, metadata
names of 100 and values of 255 characters, and an unpublished rate; no answer says how much of it is left. cops cuts
ranges and pages itself and slows down at a 429: --rate limits the requests per second of a line, cops config set rate 5
those of all lines.

A command: --timeout and --max-wait in seconds, --max-retries; a terminal shows 100 rows (--limit, --all).

Writes from here: cops policy show, and cops policy add --operations refund --most "100 USD".
A profile that only reads: cops profiles edit NAME --read-only.
`,
  setup: `Set-ups as files

  cops setup pull shop                       copy products, profiles, templates, flows into files
  cops setup check shop                      find faults in the files, without a request
  cops setup plan shop                       show what would be done; 13 if anything differs
  cops setup apply shop --yes                do it
  cops setup promote --from acme:test --to acme:live     the same, from test to live

Files refer to each other by name; secrets are never pulled. To set up this program itself: cops login, cops doctor,
cops completion install.
`,
};

/** The topics, each with its subject, and the names of the groups. */
export function topicList(groups: readonly string[]): string {
  const rows = Object.entries(TOPICS).map(([name, text]) => `  ${name.padEnd(12)}${text.split('\n')[0]}`);
  const heading = 'cops help <topic>, <group>, <family>, <family> <action> or <command>';
  return [heading, '', 'Topics', ...rows, '', 'Groups', `  ${groups.join(', ')}`, ''].join('\n');
}

/** The text of a topic, or undefined. */
export function topic(name: string): string | undefined {
  return Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
}

/** The text of the topic whose title has one of the words. */
export const topicAbout = (words: readonly string[]): string | undefined =>
  Object.values(TOPICS).find((text) =>
    words.some((word) =>
      titleOf(text)
        .split(/[ ,:]+/)
        .includes(word),
    ),
  );

const titleOf = (text: string): string => (text.split('\n')[0] ?? '').toLowerCase();

/** Exit codes, one per row, wrapped at 100 columns. */
function exitRows(): string {
  return EXIT_MEANINGS.filter(({ exit }) => exit !== 143)
    .map(({ exit, meaning, next }) => {
      const text = `${exit === 130 ? 'interrupted (143: terminated)' : meaning}. ${next}`.replace(/^done\. $/, 'done');
      const lines = [''];
      for (const word of text.split(' ')) {
        const last = lines.at(-1) ?? '';
        if (last.length + word.length + 1 > 93) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return `  ${String(exit).padEnd(5)}${lines.join('\n       ')}`;
    })
    .join('\n');
}

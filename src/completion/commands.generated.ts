// biome-ignore-all format: made by a script, which keeps its own form
// Made by scripts/generate-completions.mjs from the definitions of the commands. Do not edit by hand.
import type { CommandSpec } from './types.js';

/** The commands beside the families. */
export const COMMANDS: readonly CommandSpec[] = [
 {
  "name": "login",
  "about": "file a profile with its keys and check them",
  "options": [
   [
    "--test-key <ref>",
    "where the test key is: env:NAME, @file, - (standard input), cmd:<command>"
   ],
   [
    "--live-key <ref>",
    "where the live key is, in the same forms"
   ],
   [
    "--store <place>",
    "file (default) or keychain: where keys that are given here are kept"
   ],
   [
    "--mode <mode>",
    "test (default) or live, when a line does not say"
   ],
   [
    "--replace",
    "put new keys in the place of those that are filed"
   ],
   [
    "--no-check",
    "do not call the service to check the keys"
   ]
  ],
  "commands": []
 },
 {
  "name": "logout",
  "about": "forget a profile's keys",
  "options": [],
  "commands": []
 },
 {
  "name": "whoami",
  "about": "show profile, mode and key in use, and where each comes from",
  "options": [],
  "commands": []
 },
 {
  "name": "profiles",
  "about": "add, list, show, use, edit, rename, remove profiles",
  "options": [],
  "commands": [
   {
    "name": "list",
    "about": "All profiles.",
    "options": [],
    "commands": []
   },
   {
    "name": "show",
    "about": "One profile as it is stored, keys masked.",
    "options": [],
    "commands": []
   },
   {
    "name": "add",
    "about": "File a profile without asking or calling anything. --base-url, --tz and --rate are stored with it.",
    "options": [
     [
      "--test-key <ref>",
      "where the test key is: env:NAME, @file, - (standard input), cmd:<command>"
     ],
     [
      "--live-key <ref>",
      "where the live key is, in the same forms"
     ],
     [
      "--store <place>",
      "file (default) or keychain: where keys that are given here are kept"
     ],
     [
      "--mode <mode>",
      "test (default) or live, when a line does not say"
     ],
     [
      "--default-output <format>",
      "output format, when a line does not say"
     ],
     [
      "--read-only",
      "refuse everything that is not a read"
     ],
     [
      "--no-read-only",
      "allow writes again"
     ],
     [
      "--wallet-word <word>",
      "the service's word where the documentation says wallet"
     ],
     [
      "--idempotency-key <when>",
      "auto (default), always or never"
     ]
    ],
    "commands": []
   },
   {
    "name": "edit",
    "about": "Change a profile; --base-url, --tz and --rate are stored with it as well.",
    "options": [
     [
      "--test-key <ref>",
      "where the test key is: env:NAME, @file, - (standard input), cmd:<command>"
     ],
     [
      "--live-key <ref>",
      "where the live key is, in the same forms"
     ],
     [
      "--store <place>",
      "file (default) or keychain: where keys that are given here are kept"
     ],
     [
      "--mode <mode>",
      "test (default) or live, when a line does not say"
     ],
     [
      "--default-output <format>",
      "output format, when a line does not say"
     ],
     [
      "--read-only",
      "refuse everything that is not a read"
     ],
     [
      "--no-read-only",
      "allow writes again"
     ],
     [
      "--wallet-word <word>",
      "the service's word where the documentation says wallet"
     ],
     [
      "--idempotency-key <when>",
      "auto (default), always or never"
     ]
    ],
    "commands": []
   },
   {
    "name": "use",
    "about": "Use this profile when a line does not say.",
    "options": [],
    "commands": []
   },
   {
    "name": "rename",
    "about": "Give a profile another name.",
    "options": [],
    "commands": []
   },
   {
    "name": "remove",
    "about": "Remove a profile and forget its keys.",
    "options": [],
    "commands": []
   }
  ]
 },
 {
  "name": "mode",
  "about": "show or set the mode of the profile: test or live",
  "options": [],
  "commands": []
 },
 {
  "name": "config",
  "about": "read and set configuration values",
  "options": [],
  "commands": [
   {
    "name": "path",
    "about": "Where the configuration file is.",
    "options": [],
    "commands": []
   },
   {
    "name": "list",
    "about": "All settings and aliases.",
    "options": [],
    "commands": []
   },
   {
    "name": "get",
    "about": "One value.",
    "options": [],
    "commands": []
   },
   {
    "name": "set",
    "about": "Set one; alias.<word> defines an alias.",
    "options": [],
    "commands": []
   },
   {
    "name": "unset",
    "about": "Back to the default; forgets an alias.",
    "options": [],
    "commands": []
   }
  ]
 },
 {
  "name": "export",
  "about": "read a whole list into files, proven complete and resumable",
  "options": [
   [
    "--from <when>",
    "begin of the range: 2026-01-31, RFC 3339, unix seconds, 90d"
   ],
   [
    "--to <when>",
    "end of the range (default: now), frozen when the export begins"
   ],
   [
    "--last <span>",
    "the range that ends now: 30d, 6w, 3mo, 1y"
   ],
   [
    "--no-range",
    "read the list without dates"
   ],
   [
    "--out <file | folder/ | ->",
    "a file, a folder (one file a window), or standard output"
   ],
   [
    "--format <format>",
    "jsonl, csv, tsv, parquet or sqlite (default: by the file's ending)"
   ],
   [
    "--concurrency <n>",
    "at most this many requests at once (default 32)"
   ],
   [
    "--gzip",
    "compress jsonl, csv and tsv"
   ],
   [
    "--shard <i/n>",
    "only every n-th window: one machine of n; --rate is divided by n"
   ],
   [
    "--restart",
    "begin anew, whatever is there"
   ],
   [
    "--since-last",
    "go on from the manifest of the finished export"
   ],
   [
    "--refresh <span>",
    "with --since-last: read this span again and replace its rows (SQLite, folders)"
   ],
   [
    "--page-size <n>",
    "items a request, 1 to 25"
   ]
  ],
  "commands": []
 },
 {
  "name": "sync",
  "about": "keep copies of all lists up to date",
  "options": [
   [
    "--from <when>",
    "where a list begins that was never read (default: 1y)"
   ],
   [
    "--format <format>",
    "of a folder: jsonl, csv, tsv or parquet (default: jsonl)"
   ],
   [
    "--refresh <span>",
    "read this span again: changes of old items are not seen otherwise"
   ],
   [
    "--concurrency <n>",
    "at most this many requests at once (default 32)"
   ],
   [
    "--gzip",
    "compress jsonl, csv and tsv"
   ],
   [
    "--restart",
    "read everything anew"
   ]
  ],
  "commands": []
 },
 {
  "name": "bulk",
  "about": "run one write over many ids or rows, with a journal",
  "options": [
   [
    "--ids <file>",
    "ids, one a line; - reads standard input"
   ],
   [
    "--input <file>",
    "rows: .csv, .tsv or .jsonl; - reads standard input"
   ],
   [
    "-d, --data <path=value>",
    "a field of every row; {column} stands for a cell"
   ],
   [
    "--empty <skip|null>",
    "what an empty cell means: its field left out, or null (default: a fault)"
   ],
   [
    "--concurrency <n>",
    "requests at once (default 4)"
   ],
   [
    "--max-failures <n>",
    "stop after this many failures"
   ],
   [
    "--stop-on-fraud",
    "stop at the first fraud decision"
   ],
   [
    "--expect <count>",
    "the number of rows that there must be; confirms a live run together with --yes"
   ],
   [
    "--journal <file>",
    "where the journal goes"
   ],
   [
    "--again",
    "also rows that are unknown from earlier, or were done by another command meanwhile"
   ],
   [
    "--no-idempotency-key",
    "send without keys: nothing is sent twice then"
   ],
   [
    "--no-validate",
    "send bodies without checking them"
   ],
   [
    "--apply",
    "reconcile: record what was found"
   ]
  ],
  "commands": []
 },
 {
  "name": "history",
  "about": "what was written from this machine, and how it ended",
  "options": [],
  "commands": [
   {
    "name": "list",
    "about": "Writes, newest first.",
    "options": [
     [
      "--limit <n>",
      "at most this many"
     ],
     [
      "--unknown",
      "only those whose outcome is unknown"
     ]
    ],
    "commands": []
   },
   {
    "name": "show",
    "about": "One write with everything that is known of it.",
    "options": [],
    "commands": []
   },
   {
    "name": "settle",
    "about": "Record what became of a write whose outcome was unknown.",
    "options": [
     [
      "--as <outcome>",
      "done or not-done"
     ],
     [
      "--note <text>",
      "how that was found out"
     ]
    ],
    "commands": []
   }
  ]
 },
 {
  "name": "overview",
  "about": "counts and sums of the business over some days",
  "options": [
   [
    "--last <span>",
    "the days that end now: 30d (default), 12w, 3mo"
   ],
   [
    "--from <when>",
    "begin of the range instead"
   ],
   [
    "--to <when>",
    "end of the range (default: now)"
   ],
   [
    "--html <file>",
    "write one page with charts that needs no network"
   ]
  ],
  "commands": []
 },
 {
  "name": "api",
  "about": "any request to the service, with the same guards",
  "options": [
   [
    "--param <name=value>",
    "query parameter; repeat for more"
   ],
   [
    "--body <json | @file | ->",
    "the body of a POST"
   ],
   [
    "-d, --data <path=value>",
    "one field of the body; repeat for more"
   ],
   [
    "--paginate",
    "read all pages of a list"
   ],
   [
    "--idempotency-key <key>",
    "use this key instead of a new one"
   ],
   [
    "--no-idempotency-key",
    "send without a key"
   ],
   [
    "--again",
    "repeat a write whose outcome is unknown"
   ]
  ],
  "commands": []
 },
 {
  "name": "openapi",
  "about": "pull, check and show the service's own description",
  "options": [],
  "commands": [
   {
    "name": "pull",
    "about": "Fetch {base_url}/openapi.json and keep it for this profile: it settles which lists take dates, and operations that only it knows become usable.",
    "options": [],
    "commands": []
   },
   {
    "name": "check",
    "about": "Compare the pulled description with what cops knows: new, missing and changed operations and fields.",
    "options": [
     [
      "--strict",
      "exit code 1 when there are differences"
     ]
    ],
    "commands": []
   },
   {
    "name": "show",
    "about": "Show the pulled description: its operations, or one of them by path, operation id or command words.",
    "options": [],
    "commands": []
   }
  ]
 },
 {
  "name": "reference",
  "about": "events, filters, error codes, states and limits, offline",
  "options": [],
  "commands": []
 },
 {
  "name": "explain",
  "about": "explain an error code, exit code, event, field or family",
  "options": [],
  "commands": []
 },
 {
  "name": "sandbox",
  "about": "the embedded service: reset, serve, clock, status",
  "options": [],
  "commands": [
   {
    "name": "reset",
    "about": "Lay the data out anew, backwards from today; what was there is gone.",
    "options": [
     [
      "--seed <n>",
      "equal seeds give equal data on the same day"
     ],
     [
      "--size <size>",
      "small, medium, large, or a number of renewals"
     ]
    ],
    "commands": []
   },
   {
    "name": "serve",
    "about": "Serve it over HTTP for any client, until Ctrl-C; prints base URL and keys.",
    "options": [
     [
      "--port <n>",
      "port to listen on (default: any free one)"
     ],
     [
      "--latency <ms>",
      "answer later by this"
     ],
     [
      "--rate-limit <n>",
      "answer 429 above this many requests a second"
     ],
     [
      "--fault <kind=share>",
      "disturb this share of requests; repeat for more"
     ],
     [
      "--range-ends <in|out>",
      "whether the ends of a date range belong to it"
     ]
    ],
    "commands": []
   },
   {
    "name": "status",
    "about": "Where the data is, how much there is, what the clock says.",
    "options": [],
    "commands": []
   },
   {
    "name": "clock",
    "about": "Show or move the sandbox's clock: clock show | advance 40d | set 2026-12-31",
    "options": [],
    "commands": []
   }
  ]
 },
 {
  "name": "doctor",
  "about": "check configuration, keys and connection",
  "options": [
   [
    "--online",
    "call each service with each key: reachable, accepted, mode, clock, TLS"
   ]
  ],
  "commands": []
 },
 {
  "name": "completion",
  "about": "shell completion for bash, zsh, fish and PowerShell",
  "options": [],
  "commands": [
   {
    "name": "install",
    "about": "Write the script where the shell looks for it (default: the shell in use); asks nothing.",
    "options": [],
    "commands": []
   },
   {
    "name": "uninstall",
    "about": "Remove what install wrote.",
    "options": [],
    "commands": []
   },
   {
    "name": "forget",
    "about": "Forget the ids that were seen. They are kept on this machine for completion only: id, name and date, the last few hundred of each family. COPS_ID_CACHE=0 or `cops config set id_cache false` keeps none.",
    "options": [],
    "commands": []
   }
  ]
 },
 {
  "name": "commands",
  "about": "every command as data, for tools",
  "options": [],
  "commands": []
 },
 {
  "name": "help",
  "about": "help on a command, an action or a topic",
  "options": [],
  "commands": []
 }
];

/** Topics of `cops help`, with what each is about. */
export const HELP_TOPICS: readonly (readonly [string, string])[] = [
 [
  "exit-codes",
  "Exit codes"
 ],
 [
  "dates",
  "Dates and ranges"
 ],
 [
  "filters",
  "Filters"
 ],
 [
  "output",
  "Output"
 ],
 [
  "profiles",
  "Profiles, keys and modes"
 ],
 [
  "quoting",
  "Quoting: how to write bodies for each shell"
 ],
 [
  "bulk-runs",
  "Many items at once"
 ],
 [
  "exports",
  "Exports"
 ],
 [
  "live",
  "Live mode"
 ],
 [
  "scripting",
  "Scripting"
 ]
];

/** Topics of `cops reference`. */
export const REFERENCE_TOPICS: readonly (readonly [string, string])[] = [
 [
  "events",
  "account events, and the filters that each takes"
 ],
 [
  "payment-types",
  "payment types with their fixed ids and filter values"
 ],
 [
  "error-codes",
  "error codes whose condition is known"
 ],
 [
  "statuses",
  "HTTP statuses of the service"
 ],
 [
  "body-codes",
  "the `code` of an answer"
 ],
 [
  "exit-codes",
  "exit codes of cops"
 ],
 [
  "states",
  "named states of resources"
 ],
 [
  "product-types",
  "types of products"
 ],
 [
  "limits",
  "limits of the service"
 ],
 [
  "permissions",
  "permissions of restricted keys (sixteen resources are known)"
 ],
 [
  "addresses",
  "addresses that the service calls from, for allow-lists"
 ],
 [
  "sandbox",
  "test cards and state changes of the embedded service, and what of it is our own reading"
 ]
];

/** Kinds of trouble that the served sandbox can make, as `--fault` begins with them. */
export const FAULTS: readonly (readonly [string, string])[] = [
 [
  "429=",
  "too many requests, without Retry-After; nothing is done"
 ],
 [
  "500=",
  "an unexpected error; nothing is done"
 ],
 [
  "retry-after=",
  "too many requests, with Retry-After: 1; nothing is done"
 ],
 [
  "500-after=",
  "an unexpected error, though the work is done"
 ],
 [
  "cut-before=",
  "the connection is cut before the work"
 ],
 [
  "cut-after=",
  "the connection is cut after the work, without an answer"
 ],
 [
  "truncate=",
  "the work is done, the answer breaks off in the middle"
 ],
 [
  "wrong-type=",
  "the work is done, the answer is a page of HTML"
 ],
 [
  "slow=",
  "the answer comes in pieces over three seconds"
 ],
 [
  "insert=",
  "an item is added to the list before its page is read"
 ],
 [
  "delete=",
  "an item is taken from the list before its page is read"
 ]
];

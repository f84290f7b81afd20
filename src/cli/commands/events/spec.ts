import { EVENTS } from '../../../catalogue/event-types.js';
import {
  argumentRows,
  type CommandSpec,
  type OptionsOf,
  optionRows,
  subcommandRows,
} from '../../../session/context/spec.js';

const as = { '--as <name>': 'the listener; required if there are several' } as const;
const notation = {
  '--notation <event>': {
    about: 'these events and those below them, comma-separated: sale,trial.updated',
    many: true,
    values: EVENTS,
  },
} as const;
const limit = { '--limit <n>': 'only the newest n of them' } as const;
const until = { '--until <when>': 'with --from: up to then (default: now)' } as const;
const receiver = { '--forward-to <url>': "the receiver, if not the listener's own" } as const;
const secret = {
  '--secret <ref>':
    'sign or check with this secret instead: env:NAME, @file, cmd:<command line>; 24 bytes or more in base64, as from openssl rand -base64 32; it is not stored',
} as const;

export const spec = {
  name: 'events',
  place: 86,
  about: 'listen to account events, forward them to a URL, send them again',
  description: 'Account events: forward them to a receiver as signed webhooks, and resend them.',
  commands: subcommandRows({
    listen: {
      about: 'Show events as they happen, or forward them, until Ctrl-C; continues where it stopped.',
      options: optionRows({
        '--as <name>': 'the name under which it continues next time (default: default)',
        '--forward-to <url>': 'post each event there: https, or http to this machine',
        ...notation,
        '--from <when>': 'where a new listener starts (default: now)',
        '--limit <n>': 'end after this many events shown or delivered, the oldest first',
        '--for <span>': 'end after this time: 60s, 10m',
        ...secret,
        '--give-up <span>': 'how long to retry an event before setting it aside (default 3d)',
        '--schema': 'print the JSON Schema of a posted event',
      }),
      examples: [
        'events listen -p sandbox -o jsonl',
        'events listen -p sandbox --forward-to http://localhost:3000/hooks --notation sale,subscription',
        'events listen -p sandbox --forward-to http://localhost:3000/hooks --secret env:HOOK_SECRET --for 60s',
        'events listen --as books --forward-to https://hooks.example.com/cops --from 7d',
      ],
    },
    list: {
      dryRun: 'reads',
      about: 'List past events, oldest first, or the events set aside.',
      options: optionRows({
        '--last <span>': 'the last 12h, 30d, 1y (default 1d)',
        '--from <when>': 'events since then',
        ...until,
        ...notation,
        ...limit,
        '--failed': 'show events that were given up, with the reason',
        '--waiting':
          'show events that a listener still has to deliver; attempts leaves out those that did not reach the receiver',

        ...as,
      }),
      examples: [
        'events list -p sandbox --last 7d',
        'events list -p sandbox --notation sale.created -o jsonl',
        'events list -p sandbox --failed',
      ],
    },
    get: {
      dryRun: 'reads',
      about: 'Show one event as it is posted.',
      arguments: [{ name: '<id>' }],
      examples: ['events get KTOfjZBgpaSKCIGVPJUO -p sandbox', 'events get KTOfjZBgpaSKCIGVPJUO -p sandbox -o json'],
    },
    resend: {
      dryRun: 'shows',
      about:
        'Post one event again now with a new signature, or all events in a range, oldest first, accepted ones too.',
      arguments: [{ name: '[id]', about: 'the event; one that was set aside is settled once the receiver accepts it' }],
      options: optionRows({
        '--last <span>': 'all events of the last 12h, 30d, 1y',
        '--from <when>': 'all events since then',
        ...until,
        ...notation,
        ...limit,
        '--to <url>': "a receiver other than the listener's",
        '--forward-to <url>': 'the same as --to',
        ...secret,
        ...as,
      }),
      examples: [
        'events resend KTOfjZBgpaSKCIGVPJUO -p sandbox --to http://localhost:3000/hooks',
        'events resend KTOfjZBgpaSKCIGVPJUO -p sandbox --as books',
        'events resend -p sandbox --last 2d --to http://localhost:3000/hooks',
      ],
    },
    verify: {
      dryRun: 'reads',
      about: 'Check the signature of a post against the exact bytes of its body.',
      arguments: [{ name: '<body>', about: 'a file with the body exactly as received', values: 'file' }],
      options: optionRows({
        '--id <id>': 'the header webhook-id',
        '--timestamp <unix>': 'the header webhook-timestamp',
        '--signature <text>': 'the header webhook-signature',
        ...secret,
        '--forward-to <url>': 'use the secret stored here for that receiver',
      }),
      examples: [
        "events verify body.json --id KTOfjZBgpaSKCIGVPJUO --timestamp 1790000000 --signature 'v1,...' --secret env:HOOK_SECRET",
      ],
    },
    secret: {
      dryRun: 'shows',
      about: 'Show or rotate the secret that a receiver checks signatures with: secret show | rotate',
      arguments: argumentRows({
        '[action]': {
          values: [
            ['show', 'print it; the first use creates it'],
            ['rotate', 'create a new one; both sign for a day'],
          ],
        },
      }),
      options: optionRows({
        ...receiver,
        ...as,
        '--keep <span>': 'how long the previous secret also signs after a rotation (default 1d)',
      }),
      examples: [
        'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
        'events secret rotate -p sandbox --forward-to http://localhost:3000/hooks --keep 2d',
      ],
    },
    forward: {
      dryRun: 'reads',
      about: 'Show delivered and waiting events for each listener: forward status',
      arguments: [{ name: '[action]', values: [['status', 'list each listener with its receiver and counts']] }],
      examples: ['events forward status -p sandbox', 'events forward status -p sandbox -o json'],
    },
  }),
  notes: [
    'Each event is posted at least once, and the events of an item in order. An event not answered',
    'with 2xx is retried after growing waits, then set aside; 410 ends the listener. Signatures follow',
    'Standard Webhooks, with a secret for each profile, mode and receiver. More: docs/events.md.',
    "The service itself sends no events: they are derived from the differences that the profile's own",
    'mirror sees between two syncs, once a minute. Changes that come and go in between are not',
    'seen, several changes count as one, and the first sync gives none; counters and change dates do not count.',
  ].join('\n'),
  examples: [
    'events listen -p sandbox --forward-to http://localhost:3000/hooks',
    'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
    'events list -p sandbox --last 7d',
  ],
} as const satisfies CommandSpec;

export type EventOptions = OptionsOf<typeof spec>;

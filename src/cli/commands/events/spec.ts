import { EVENTS } from '../../../catalogue/event-types.js';
import type { CommandSpec, OptionSpec, OptionsOf } from '../../../session/context/spec.js';

const as = { flags: '--as <name>', about: 'the listener; required if there are several' } as const satisfies OptionSpec;
const notation = {
  flags: '--notation <event>',
  about: 'these events and those below them, comma-separated: sale,trial.updated',
  many: true,
  values: EVENTS,
} as const satisfies OptionSpec;
const until = {
  flags: '--until <when>',
  about: 'with --from: up to then (default: now)',
} as const satisfies OptionSpec;
const receiver = {
  flags: '--forward-to <url>',
  about: "the receiver, if not the listener's own",
} as const satisfies OptionSpec;

const secret = {
  flags: '--secret <ref>',
  about: 'sign or check with this secret instead: env:NAME, @file, cmd:<command line>; it is not stored',
} as const satisfies OptionSpec;

export const spec = {
  name: 'events',
  place: 86,
  about: 'listen to account events, forward them to a URL, send them again',
  description: 'Account events: forward them to a receiver as signed webhooks, and resend them.',
  commands: [
    {
      name: 'listen',
      about: 'Show events as they happen, or forward them, until Ctrl-C; continues where it stopped.',
      options: [
        { flags: '--as <name>', about: 'the name under which it continues next time (default: default)' },
        { flags: '--forward-to <url>', about: 'post each event there: https, or http to this machine' },
        notation,
        { flags: '--from <when>', about: 'where a new listener starts (default: now)' },
        { flags: '--limit <n>', about: 'end after this many events shown or delivered' },
        { flags: '--for <span>', about: 'end after this time: 60s, 10m' },
        secret,
        { flags: '--give-up <span>', about: 'how long to retry an event before setting it aside (default 3d)' },
        { flags: '--schema', about: 'print the JSON Schema of a posted event' },
      ],
      examples: [
        'events listen -p sandbox -o jsonl',
        'events listen -p sandbox --forward-to http://localhost:3000/hooks --notation sale,subscription',
        'events listen -p sandbox --forward-to http://localhost:3000/hooks --secret env:HOOK_SECRET --for 60s',
        'events listen --as books --forward-to https://hooks.example.com/cops --from 7d',
      ],
    },
    {
      name: 'list',
      dryRun: 'reads',
      about: 'List past events, oldest first, or the events set aside.',
      options: [
        { flags: '--last <span>', about: 'the last 12h, 30d, 1y (default 1d)' },
        { flags: '--from <when>', about: 'events since then' },
        until,
        notation,
        { flags: '--failed', about: 'show events that were given up, with the reason' },
        {
          flags: '--waiting',
          about:
            'show events that a listener still has to deliver; attempts leaves out those that did not reach the receiver',
        },
        as,
      ],
      examples: [
        'events list -p sandbox --last 7d',
        'events list -p sandbox --notation sale.created -o jsonl',
        'events list -p sandbox --failed',
      ],
    },
    {
      name: 'get',
      dryRun: 'reads',
      about: 'Show one event as it is posted.',
      arguments: [{ name: '<id>' }],
      examples: ['events get KTOfjZBgpaSKCIGVPJUO -p sandbox', 'events get KTOfjZBgpaSKCIGVPJUO -p sandbox -o json'],
    },
    {
      name: 'resend',
      dryRun: 'shows',
      about: 'Post one event again now with a new signature, or all events in a range, oldest first.',
      arguments: [{ name: '[id]', about: 'the event; one that was set aside is settled once the receiver accepts it' }],
      options: [
        { flags: '--last <span>', about: 'all events of the last 12h, 30d, 1y' },
        { flags: '--from <when>', about: 'all events since then' },
        until,
        notation,
        { flags: '--to <url>', about: "a receiver other than the listener's" },
        { flags: '--forward-to <url>', about: 'the same as --to' },
        secret,
        as,
      ],
      examples: [
        'events resend KTOfjZBgpaSKCIGVPJUO -p sandbox --to http://localhost:3000/hooks',
        'events resend KTOfjZBgpaSKCIGVPJUO -p sandbox --as books',
        'events resend -p sandbox --last 2d --to http://localhost:3000/hooks',
      ],
    },
    {
      name: 'verify',
      dryRun: 'reads',
      about: 'Check the signature of a post against the exact bytes of its body.',
      arguments: [{ name: '<body>', about: 'a file with the body exactly as received', values: 'file' }],
      options: [
        { flags: '--id <id>', about: 'the header webhook-id' },
        { flags: '--timestamp <unix>', about: 'the header webhook-timestamp' },
        { flags: '--signature <text>', about: 'the header webhook-signature' },
        secret,
        { flags: '--forward-to <url>', about: 'use the secret stored here for that receiver' },
      ],
      examples: [
        "events verify body.json --id KTOfjZBgpaSKCIGVPJUO --timestamp 1790000000 --signature 'v1,...' --secret env:HOOK_SECRET",
      ],
    },
    {
      name: 'secret',
      dryRun: 'shows',
      about: 'Show or rotate the secret that a receiver checks signatures with: secret show | rotate',
      arguments: [
        {
          name: '[action]',
          values: [
            ['show', 'print it; the first use creates it'],
            ['rotate', 'create a new one; both sign for a day'],
          ],
        },
      ],
      options: [
        receiver,
        as,
        { flags: '--keep <span>', about: 'how long the previous secret also signs after a rotation (default 1d)' },
      ],
      examples: [
        'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
        'events secret rotate -p sandbox --forward-to http://localhost:3000/hooks --keep 2d',
      ],
    },
    {
      name: 'forward',
      dryRun: 'reads',
      about: 'Show delivered and waiting events for each listener: forward status',
      arguments: [{ name: '[action]', values: [['status', 'list each listener with its receiver and counts']] }],
      examples: ['events forward status -p sandbox', 'events forward status -p sandbox -o json'],
    },
  ],
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

import { EVENTS } from '../../../catalogue/event-types.js';
import type { CommandSpec, OptionSpec } from '../../../session/context/spec.js';

const as: OptionSpec = { flags: '--as <name>', about: 'the listener; needed where there are several' };
const notation: OptionSpec = {
  flags: '--notation <event>',
  about: 'these events and those below them, comma-separated: sale,trial.updated',
  many: true,
  values: EVENTS,
};
const receiver: OptionSpec = { flags: '--forward-to <url>', about: "the receiver, where it is not the listener's" };

const secret: OptionSpec = {
  flags: '--secret <ref>',
  about: 'sign or check with this secret instead: env:NAME, @file, cmd:<command line>; it is not kept',
};

export const spec: CommandSpec = {
  name: 'events',
  place: 86,
  about: 'listen to account events, forward them to a URL, send them again',
  description: 'Account events, forwarded to a receiver as signed webhooks, and sent again.',
  commands: [
    {
      name: 'listen',
      about: 'Show events as they happen, or forward them, until Ctrl-C; goes on where it stopped.',
      options: [
        { flags: '--as <name>', about: 'under which name it goes on next time (default: default)' },
        { flags: '--forward-to <url>', about: 'post each event there: https, or http to this machine' },
        notation,
        { flags: '--from <when>', about: 'where a new name begins (default: now)' },
        { flags: '--limit <n>', about: 'end after this many events: shown, or delivered' },
        { flags: '--for <span>', about: 'end after this time: 60s, 10m' },
        secret,
        { flags: '--give-up <span>', about: 'how long an event is tried before it is set aside (default 3d)' },
        { flags: '--schema', about: 'print the JSON Schema of what is posted' },
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
      about: 'Events that happened, oldest first; or those that were set aside.',
      options: [
        { flags: '--last <span>', about: 'the last 12h, 30d, 1y (default 1d)' },
        notation,
        { flags: '--failed', about: 'those that were given up, with why' },
        { flags: '--waiting', about: 'those that a listener has still to deliver' },
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
      about: 'One event, as it is posted.',
      arguments: [{ name: '<id>' }],
      examples: ['events get KTOfjZBgpaSKCIGVPJUO -p sandbox', 'events get KTOfjZBgpaSKCIGVPJUO -p sandbox -o json'],
    },
    {
      name: 'resend',
      dryRun: 'shows',
      about: 'Post one event again, now, signed anew; or all of a range, in the order of time.',
      arguments: [{ name: '[id]', about: 'one that was set aside is done with once it is taken' }],
      options: [
        { flags: '--last <span>', about: 'all events of the last 12h, 30d, 1y' },
        { flags: '--from <when>', about: 'all events since then' },
        notation,
        { flags: '--to <url>', about: "another receiver than the listener's" },
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
      about: 'Whether the signature of a post is right, over the exact bytes of its body.',
      arguments: [{ name: '<body>', about: 'a file with the body as it came', values: 'file' }],
      options: [
        { flags: '--id <id>', about: 'the header webhook-id' },
        { flags: '--timestamp <unix>', about: 'the header webhook-timestamp' },
        { flags: '--signature <text>', about: 'the header webhook-signature' },
        secret,
        { flags: '--forward-to <url>', about: 'take the secret kept here for that receiver' },
      ],
      examples: [
        "events verify body.json --id KTOfjZBgpaSKCIGVPJUO --timestamp 1790000000 --signature 'v1,...' --secret env:HOOK_SECRET",
      ],
    },
    {
      name: 'secret',
      dryRun: 'shows',
      about: 'The secret that a receiver checks signatures with: secret show | rotate',
      arguments: [
        {
          name: '[action]',
          values: [
            ['show', 'print it; it is made when it is asked for first'],
            ['rotate', 'make a new one; both sign for a day'],
          ],
        },
      ],
      options: [
        receiver,
        as,
        { flags: '--keep <span>', about: 'how long the one before signs too after a rotation (default 1d)' },
      ],
      examples: [
        'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
        'events secret rotate -p sandbox --forward-to http://localhost:3000/hooks --keep 2d',
      ],
    },
    {
      name: 'forward',
      dryRun: 'reads',
      about: 'What listeners have delivered, and what waits: forward status',
      arguments: [{ name: '[action]', values: [['status', 'each listener with its receiver and its counts']] }],
      examples: ['events forward status -p sandbox', 'events forward status -p sandbox -o json'],
    },
  ],
  notes: [
    'Each event is posted at least once, the events of an item one after the other. What is not answered',
    'with 2xx is tried again after growing waits, then set aside; 410 ends the listener. Signatures are those',
    'of Standard Webhooks, with a secret for each profile, mode and receiver. More: docs/events.md.',
    "A real service tells no events to the outside: they are derived from what each look of the profile's own",
    'mirror, once a minute, sees otherwise than the one before. What came and went between two looks is not',
    'seen, several changes are one, and the first look gives none; counters and dates of change do not count.',
  ].join('\n'),
  examples: [
    'events listen -p sandbox --forward-to http://localhost:3000/hooks',
    'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
    'events list -p sandbox --last 7d',
  ],
};

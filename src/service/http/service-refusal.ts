import type { ErrorKind } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Reply } from '../../base/transport.js';

/** What the caller knows about the failed request. */
export interface ErrorContext {
  /** What was being done, as the beginning of the message: `Refund of product sale X`. */
  readonly doing?: string;
  /** The permission that a restricted key needs (service.md#permissions). */
  readonly permission?: string;
}

interface Refusal {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: Text;
  readonly more?: Record<string, unknown>;
}

type Advice = Pick<Refusal, 'hint' | 'more'>;
type Body = Readonly<Record<string, unknown>>;

/** A short description of each status in service.md#errors, and of those that only intermediate servers send. */
export function describeStatus(status: number, code?: unknown): string {
  if (status === 402) {
    if (code === 5) return 'fraud was detected';
    if (code === 2) return 'the gateway declined the payment';
    if (code === 3) return 'the gateway returned an error';
    if (code === 4) return 'the gateway holds the transaction';
    return 'the payment failed';
  }
  const known: Record<number, string> = {
    400: 'the service refused the request',
    401: 'the service does not accept the API key',
    403: 'the API key may not do this',
    404: 'the service has no such item',
    405: 'the service does not accept this method here',
    429: 'too many requests in the allotted period',
  };
  if (known[status]) return known[status];
  if (status >= 500) return 'the service failed';
  if (status >= 400) return 'the service refused the request';
  if (status >= 300) return 'the service answered with a redirect';
  return 'the service answered without success';
}

/** The error kind for a status and the `code` of its body (service.md#errors). */
export function kindOfStatus(status: number, code: unknown): ErrorKind {
  if (status === 401 || status === 403) return 'not_authorised';
  if (status === 402) return code === 5 ? 'fraud_detected' : 'payment_failed';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 400 && status < 500) return 'refused';
  return 'service_failed';
}

/** Kind, message, hint and other facts of a reply that is not a success. */
export function refusalOf(reply: Reply, body: Body, context: ErrorContext): Refusal {
  const { status } = reply;
  const code = body.code;
  const what = describeStatus(status, code);
  const number = status >= 200 && status < 300 ? `HTTP ${status}, code ${code}` : `HTTP ${status}`;
  const lead = context.doing ? `${context.doing}: ${what}` : what.charAt(0).toUpperCase() + what.slice(1);
  return { kind: kindOfStatus(status, code), message: `${lead} (${number})`, ...advice(reply, body, context) };
}

/** What to do next. `error_code` takes precedence over the status. */
function advice(reply: Reply, body: Body, context: ErrorContext): Advice {
  const { status } = reply;
  switch (body.error_code) {
    case 'E0037':
      return { hint: say`A payment profile in the request is invalid: see \`${cops`payment-profiles list`}\`.` };
    case 'E0583':
      return {
        hint: 'The idempotency key was used in the last 24 hours; that does not say how the first attempt ended.',
      };
    case 'E0208':
      return {
        hint: 'The request was rejected before it became an API call, so there is no record to look up. See what was sent with `--dry-run`.',
        more: pick(body, ['api_call_processed', 'valid_json']),
      };
    case 'E0958':
    case 'E0959': {
      const node = typeof body.node_id === 'string' ? ` of node ${body.node_id}` : '';
      const setting =
        typeof body.invalid_setting === 'string'
          ? `Correct ${body.invalid_setting}${node}`
          : `Correct the settings${node}`;
      const why = typeof body.explanation === 'string' ? `: ${body.explanation}` : '.';
      return { hint: setting + why, more: pick(body, ['node_id', 'invalid_setting', 'explanation']) };
    }
  }
  if (status === 402) return paymentAdvice(body);
  return { hint: statusHint(reply, body, context) };
}

function statusHint(reply: Reply, body: Body, context: ErrorContext): Text | undefined {
  const { status } = reply;
  if (status === 400 && /idempotency_key/i.test(String(body.message ?? '')))
    return say`This service seems to reject \`idempotency_key\` in this body. \`${cops`profiles edit <name> --idempotency-key never`}\` leaves it out (auto | always | never), and then nothing is ever sent twice; \`--no-idempotency-key\` does so for one command.`;
  if (status === 401)
    return say`Check which key is used: \`${cops`whoami`}\`. One of the environment: set COPS_API_KEY to another, or unset it; one of the profile: \`${cops`login --replace`}\`.`;
  if (status === 403) {
    const permission = context.permission ? ` (${context.permission})` : '';
    return say`The key lacks a permission${permission}, or may not be used from this address: \`${cops`whoami`}\` shows which key it is.`;
  }
  if (status === 404) return say`Check the id and the mode: test and live items are separate (\`${cops`whoami`}\`).`;
  if (status === 405)
    return say`Only GET and POST exist; the base URL may not be that of version 2 (\`${cops`whoami`}\`).`;
  if (status === 429) return 'Try again later, or send fewer requests a second with `--rate`.';
  if (status >= 500) return say`Try again later; \`${cops`doctor --online`}\` checks the connection to the service.`;
  if (status >= 300 && status < 400) {
    const to = reply.headers.location;
    const where = to && URL.canParse(to) ? ` It points to ${new URL(to).origin}.` : '';
    return say`Redirects are not followed, so that the key goes to no other host.${where} Set the final address as base URL: \`${cops`profiles edit <name> --base-url <url>`}\`.`;
  }
  return undefined;
}

function paymentAdvice(body: Body): Advice {
  switch (body.code) {
    case 5: {
      const created = body.fraud_detection_created;
      const ids = Array.isArray(created) ? created.filter((id): id is string => typeof id === 'string') : [];
      const look = ids.length > 0 ? say` Look at it with \`${cops`fraud-detections get ${ids[0]}`}\`.` : '';
      return {
        hint: say`Show the customer a generic decline only; further attempts from the same source are blocked.${look}`,
        more: pick(body, ['fraud_detected', 'fraud_detection_created']),
      };
    }
    case 4:
      return {
        hint: say`The gateway holds the transaction: look at it (\`${cops`transactions list --last 1d`}\`) before anything is tried again.`,
      };
    case 3:
      return {
        hint: 'The gateway failed, not the card: check the gateway before trying again; `--raw` shows its answer.',
      };
    default:
      return {
        hint: "Show the customer a generic decline only. Another payment method, or a new attempt, is a new command; `--raw` shows the gateway's answer.",
      };
  }
}

function pick(body: Body, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

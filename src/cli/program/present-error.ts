import { CopsError } from '../../base/errors/errors.js';
import { WHY } from '../../base/files/read-file.js';
import { cops } from '../../base/text/command-line.js';
import { hideCards, redact } from '../../items/secrets/redact.js';
import { sanitise, sanitiseLines } from '../../items/text/inert.js';
import type { Palette } from '../../screen/types.js';
import { type Account, aimed } from '../../session/context/line-flags.js';

export interface PresentOptions {
  /** One line of JSON instead of text (with `-o json` and `jsonl`). */
  readonly json: boolean;
  /** Stack and causes of an unexpected error. */
  readonly debug: boolean;
  /** The service's whole answer. */
  readonly raw: boolean;
  readonly colours: Palette;
  /** Keys and other secrets to hide wherever they appear in an error. */
  readonly secrets?: readonly string[];
  /** The folders cops uses: names in them contain dates and numbers that must stay as they are, ready to type. */
  readonly folders?: readonly string[];
  /** The profile and mode of the line. */
  readonly account?: Account;
}

/**
 * An error as the operator or a script reads it (command-line.md#exit-codes), ending in a newline. The text form gives
 * what failed, the service's words and `error_code`, `api_call_id` with the command that looks it up, and a hint; the
 * JSON form is one line. Anything but a `CopsError` becomes kind `internal`, without its stack unless `debug`.
 */
export function presentError(error: unknown, options: PresentOptions): string {
  const known = inWords(error instanceof CopsError ? error : unexpected(error));
  const clean = (text: string) => hideCards(redact(text, options.secrets ?? []), options.folders ?? []);
  const text = options.json ? jsonForm(known, options) : textForm(known, options);
  return `${clean(text)}\n`;
}

/** The error with a readable reason in place of the system's own text, where a file operation failed. */
function inWords(error: CopsError): CopsError {
  const { code, message, syscall } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const why = code === undefined || syscall === undefined ? undefined : WHY[code];
  if (why === undefined || !message || !error.message.includes(message)) return error;
  return new CopsError(
    error.kind,
    error.message.replace(message, () => why),
    error.facts,
  );
}

function unexpected(error: unknown): CopsError {
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new CopsError('internal', `Unexpected error: ${name}`, {
    hint: 'This is a bug in cops itself. Run it again with `--debug` and report what it prints.',
    cause: error,
  });
}

function jsonForm(error: CopsError, options: PresentOptions): string {
  const { facts } = error;
  const fields = {
    kind: error.kind,
    message: wholeMessage(error),
    http_status: facts.httpStatus ?? null,
    code: facts.code ?? null,
    error_code: facts.errorCode ?? null,
    api_call_id: facts.apiCallId ?? null,
    hint: facts.hint === undefined ? null : String(facts.hint),
    exit_code: error.exitCode,
    service_message: facts.serviceMessage,
    faults: facts.faults,
    ...facts.more,
    ...(options.raw && facts.rawAnswer !== undefined ? { raw_answer: facts.rawAnswer } : {}),
    ...(options.debug ? { stack: stackOf(error) || undefined } : {}),
  };
  // JSON escapes C0; DEL, C1 and bidirectional marks would reach a terminal unescaped.
  return sanitiseLines(JSON.stringify({ error: fields }));
}

/** What failed and, where the service gave a reason, that reason: a script that reads one field must find both. */
function wholeMessage({ message, facts: { serviceMessage } }: CopsError): string {
  if (!serviceMessage || message.includes(serviceMessage)) return message;
  return `${message}: ${serviceMessage}`;
}

/** Words that begin a sentence and do not name a command or a file. */
const BEGINNING = /^(?:an?|cannot|give|no|nobody|not|nothing|profile|that|the|there|these|this|too) /;

function textForm(error: CopsError, options: PresentOptions): string {
  const { facts } = error;
  const { colours } = options;
  const hint = String(facts.hint ?? '');
  // Differences are the answer, and an interruption is the user's own request.
  const isMeant = error.kind === 'differs' || error.kind === 'interrupted';
  const label = isMeant ? '' : `${colours.bad('Error:')} `;
  const lines = [
    `${label}${sanitiseLines(error.message.replace(BEGINNING, (word) => word[0]?.toUpperCase() + word.slice(1)))}`,
  ];
  const unsaid = (facts.faults ?? []).filter((fault) => !error.message.includes(fault.message));
  for (const fault of unsaid)
    lines.push(`  ${fault.path === '' ? '' : `${colours.strong(sanitise(fault.path))}: `}${sanitise(fault.message)}`);
  const said = [
    facts.serviceMessage && `"${sanitise(facts.serviceMessage)}"`,
    facts.errorCode && sanitise(facts.errorCode),
  ];
  const words = said.filter(Boolean).join(' ');
  if (words) lines.push(`  The service says: ${words}`);
  if (facts.apiCallId) {
    const id = sanitise(facts.apiCallId);
    const command = colours.strong(String(aimed(cops`api-calls get ${id}`, options.account ?? {})));
    // The lookup would send the key that was just refused.
    lines.push(`  API call: ${facts.httpStatus === 401 ? id : command}`);
  }
  for (const [name, value] of Object.entries(facts.moreIsSaid ? {} : (facts.more ?? {}))) {
    const shown = shownFact(value);
    const isEmpty = shown === '' || shown === '{}';
    // The message already says it: "Fraud was detected" for `fraud_detected`.
    const isSaid = value === true && error.kind === name;
    if (shown !== undefined && !isEmpty && !isSaid && !hint.includes(shown))
      lines.push(`  ${sanitise(name)}: ${sanitise(shown)}`);
  }
  if (hint !== '') lines.push(`${colours.strong('Hint:')} ${sanitiseLines(hint)}`);
  if (options.raw && facts.rawAnswer) lines.push(sanitiseLines(facts.rawAnswer));
  const behind = options.debug ? stackOf(error) : '';
  if (behind !== '') lines.push(sanitiseLines(behind));
  return lines.join('\n');
}

/** A further fact, formatted for people: a list of words is not shown as JSON. */
function shownFact(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const words = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return words ? value.join(', ') : JSON.stringify(value);
}

/** What lies behind an error, for those who look for its cause. */
function stackOf(error: CopsError): string {
  const isOurs = error.kind === 'internal';
  const stacks: string[] = [];
  let current: unknown = error.cause;
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    // A stack helps only if the fault is in the program.
    stacks.push((isOurs && current.stack) || String(current));
    current = current.cause;
  }
  return stacks.map((stack, at) => (isOurs && at === 0 ? stack : `caused by ${stack}`)).join('\n');
}

import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { splitTemplate } from '../../account/profiles/names.js';
import { usage } from '../../base/errors/errors.js';
import { isBelow } from '../../base/files/typed-path.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { ScenarioFile, ScenarioStep } from '../../items/checks/scenario-shape.js';
import type { PlacedFault } from '../../items/checks/shape-faults.js';

/**
 * Commands beside the families that a scenario may run, and actions of families beside the operations: what reaches no
 * key, no network and no other folder, and ends.
 */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['find', 'why', 'timeline', 'history', 'overview', 'report', 'sql', 'reference', 'explain', 'commands'],
  ...['bulk', 'export', 'sync', 'setup', 'api', 'sandbox', 'openapi'],
  ...['check', 'copy', 'note', 'postpone', 'run', 'show'],
]);

/** Of the sandbox: what waits for ever, or replaces the copy that the scenario works on, is not among them. */
const SANDBOX = ['status', 'events', 'trigger', 'runs', 'outbox', 'answers', 'keys', 'clock', 'seed'];

/** Journals and manifests name files by themselves, which may lie anywhere. */
const BY_JOURNAL = ['resume', 'reconcile', 'retry-failed', 'status', 'report', 'list', 'merge', 'verify'];

/** Whether a command may run in a scenario, by its name and that of what is below it. */
export function scenarioAllows(command: string, subcommand: string): boolean {
  if (!COMMANDS.has(command)) return false;
  if (command === 'sandbox') return SANDBOX.includes(subcommand);
  return !(['bulk', 'export', 'setup'].includes(command) && BY_JOURNAL.includes(subcommand));
}

const OPTIONS = /^--(?:base-url|profile|send-key-to|editor|forward-to|follow|watch|debug)\b|^-[^-]*p/;

/** Options that take no value, so that none of the words behind them is one. */
const FLAG = /^(?:--(?:live|test|yes|no-input|wide|raw|quiet|verbose|dry-run)|-[yqv]+)$/;

/** What is wrong with a line of a scenario, which is code that somebody else wrote; undefined for one that may run. */
export function lineFault(words: readonly string[], folder?: string): string | undefined {
  const option = words.find((word) => OPTIONS.test(word));
  if (option !== undefined)
    return `${option.replace(/=.*/s, '')} is not for scenarios: they reach their own copy of the sandbox alone`;
  const [head = '', second = ''] = words.filter((word) => !FLAG.test(word));
  // Behind an option a word may be its value: which one is the command must be plain to whoever reads the file.
  if (head.startsWith('-')) return `the command comes first, not ${head}`;
  const family = head.replaceAll('_', '-');
  const isFamily = FAMILY_INDEX.some(({ command }) => command === family || command === `${family}s`);
  if (isFamily ? ['deploy', 'dev', 'tail', 'watch'].includes(second) : !scenarioAllows(head, second))
    return `cops ${[head, second].join(' ').trim()} is not for scenarios`;
  const isApi = head === 'api';
  for (const [at, word] of words.entries()) {
    const fault = isApi && at <= 2 && word.startsWith('/') ? undefined : placeFault(word, folder);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Files lie in the scenario's folder or its own temporary one: a word that leads elsewhere is refused, links too. */
function placeFault(word: string, folder: string | undefined): string | undefined {
  const parts = [word, ...word.split(/[=@,]/)].filter((part) => part !== '');
  if (/(?:^|[=@])(?:cmd|env|file|postgres(?:ql)?):/i.test(word))
    return `${JSON.stringify(word)} reaches beyond the scenario`;
  for (const part of parts) {
    if (/^(?:[/\\~]|[A-Za-z]:[\\/])/.test(part) || part.split(/[/\\]/).includes('..') || part.includes('\0'))
      return `${JSON.stringify(word)} names a place outside the scenario's folder`;
    if (folder === undefined) continue;
    if (leads(folder, part)) return `${JSON.stringify(word)} leads outside the scenario's folder`;
  }
  return undefined;
}

function leads(folder: string, part: string): boolean {
  const place = resolve(folder, part);
  return existsSync(place) && !isBelow(realpathSync(folder), realpathSync(place));
}

/** A line as words. @throws CopsError `usage` for one that a scenario may not run */
export function checkedLine(words: readonly string[], folder: string): readonly string[] {
  const fault = lineFault(words, folder);
  if (fault !== undefined) throw usage(`${fault}.`);
  return words;
}

/** The words of a step's line. */
export function stepWords(run: string | readonly string[]): string[] {
  return typeof run === 'string' ? splitTemplate(run) : [...run];
}

/** Variables that steer programs. */
const OWN: ReadonlySet<string> = new Set(['HOME', 'PATH', 'TZ', 'CI', 'NO_COLOR', 'EDITOR', 'VISUAL', 'PAGER']);

/** What a file may not do, found when it is read; values that are bound later are checked before each line too. */
export function wallFaults(scenario: ScenarioFile): PlacedFault[] {
  const lists: [readonly (string | number)[], readonly ScenarioStep[]][] = [
    [['steps'], scenario.steps],
    ...Object.entries(scenario.shared ?? {}).map(
      ([name, steps]): [readonly (string | number)[], readonly ScenarioStep[]] => [['shared', name], steps],
    ),
  ];
  const faults = lists.flatMap(([path, steps]) =>
    steps.flatMap((step, at): PlacedFault[] => {
      if (step.use !== undefined && !Object.hasOwn(scenario.shared ?? {}, step.use))
        return [{ path: [...path, at, 'use'], message: `shared has no ${step.use}` }];
      if (step.run === undefined) return [];
      const words = stepWords(step.run);
      const message = words.length === 0 ? 'a command is missing' : lineFault(words);
      return message === undefined ? [] : [{ path: [...path, at, 'run'], message }];
    }),
  );
  const { setup, secrets = {} } = scenario.given ?? {};
  const out = setup === undefined ? undefined : placeFault(setup, undefined);
  if (out !== undefined) faults.push({ path: ['given', 'setup'], message: out });
  for (const name of Object.keys(secrets).filter((one) => !/^(?!COPS_)[A-Z][A-Z0-9_]*$/i.test(one) || OWN.has(one)))
    faults.push({ path: ['given', 'secrets', name], message: `${name} is no name for a secret of a set-up` });
  return faults;
}

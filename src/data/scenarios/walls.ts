import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { splitTemplate } from '../../account/profiles/profile-names.js';
import { usage } from '../../base/errors/errors.js';
import { isBelow } from '../../base/files/typed-path.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { ScenarioFile, ScenarioStep } from '../../items/checks/scenario-shape.js';
import type { PlacedFault } from '../../items/checks/shape-faults.js';
import { faultsOf, parseFaults } from '../../sandbox/serve/injected-faults.js';

/**
 * Commands besides the families that a scenario may run, and actions of families besides the operations: they end, and
 * cannot reach a key, the network or another folder.
 */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['find', 'why', 'timeline', 'history', 'overview', 'report', 'sql', 'reference', 'explain', 'commands'],
  ...['bulk', 'export', 'sync', 'setup', 'api', 'sandbox', 'openapi'],
  ...['check', 'copy', 'dev', 'note', 'postpone', 'show'],
]);

/** The sandbox's commands, without those that wait forever, or replace the copy that the scenario works on. */
const SANDBOX = ['status', 'events', 'trigger', 'runs', 'outbox', 'answers', 'keys', 'clock', 'seed'];

/** Journals and manifests name files themselves, which may be anywhere. */
const BY_JOURNAL = ['resume', 'reconcile', 'retry-failed', 'status', 'report', 'list', 'merge', 'verify'];

/** Whether a command may run in a scenario, by its name and its subcommand's. */
export function scenarioAllows(command: string, subcommand: string): boolean {
  if (!COMMANDS.has(command)) return false;
  if (command === 'sandbox') return SANDBOX.includes(subcommand);
  return !(['bulk', 'export', 'setup'].includes(command) && BY_JOURNAL.includes(subcommand));
}

const OPTIONS = /^--(?:base-url|profile|send-key-to|editor|forward-to|follow|watch|debug)\b|^-[^-]*p/;

/** Options without a value, so that the word after one is not its value. */
const FLAG = /^(?:--(?:live|test|yes|no-input|wide|raw|quiet|verbose|dry-run)|-[yqv]+)$/;

/** What is wrong with a scenario's command line, which is somebody else's code; undefined for one that may run. */
export function lineFault(words: readonly string[], folder?: string): string | undefined {
  const option = words.find((word) => OPTIONS.test(word));
  if (option !== undefined)
    return `${option.replace(/=.*/s, '')} is not for scenarios: they can only use their own copy of the sandbox`;
  const [head = '', second = ''] = words.filter((word) => !FLAG.test(word));
  // A word after an option may be its value: readers of the file must see which word is the command.
  if (head.startsWith('-')) return `the command comes first, not ${head}`;
  const family = head.replaceAll('_', '-');
  const isFamily = FAMILY_INDEX.some(({ command }) => command === family || command === `${family}s`);
  if (isFamily ? ['deploy', 'tail', 'watch'].includes(second) : !scenarioAllows(head, second))
    return `cops ${[head, second].join(' ').trim()} is not for scenarios`;
  const isApi = head === 'api';
  for (const [at, word] of words.entries()) {
    const fault = isApi && at <= 2 && word.startsWith('/') ? undefined : placeFault(word, folder);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Files are in the scenario's folder or its temporary one: refuses an argument or link that leads elsewhere. */
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

/** A command line as arguments. @throws CopsError `usage` for one that a scenario may not run */
export function checkedLine(words: readonly string[], folder: string): readonly string[] {
  const fault = lineFault(words, folder);
  if (fault !== undefined) throw usage(`${fault}.`);
  return words;
}

/** The arguments of a step's command line. */
export function stepWords(run: string | readonly string[]): string[] {
  return typeof run === 'string' ? splitTemplate(run) : [...run];
}

type Shared = NonNullable<ScenarioFile['shared']>;

/** Variables that control programs. */
const OWN: ReadonlySet<string> = new Set(['HOME', 'PATH', 'TZ', 'CI', 'NO_COLOR', 'EDITOR', 'VISUAL', 'PAGER']);

/** More steps than any story has; shared steps that use each other multiply, or never end. */
const MOST_STEPS = 5000;

/** How many steps there are, including shared ones; infinite if those use themselves. */
function countOf(steps: readonly ScenarioStep[], shared: Shared, known: Map<string, number>): number {
  const counts = steps.map(({ use }) => {
    if (use === undefined) return 1;
    if (!known.has(use)) {
      known.set(use, Number.POSITIVE_INFINITY);
      known.set(use, countOf(Object.hasOwn(shared, use) ? (shared[use] ?? []) : [], shared, known));
    }
    return known.get(use) ?? 0;
  });
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Forbidden content of a file, found when it is read; values bound later are also checked before each command line. */
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
  if (countOf(scenario.steps, scenario.shared ?? {}, new Map()) > MOST_STEPS)
    faults.push({
      path: ['steps'],
      message: `there are more than ${MOST_STEPS} steps, or shared steps that use themselves`,
    });
  const { setup, secrets = {}, faults: injected = {} } = scenario.given ?? {};
  const read = parseFaults(faultsOf(injected));
  if (typeof read === 'string') faults.push({ path: ['given', 'faults'], message: read });
  const out = setup === undefined ? undefined : placeFault(setup, undefined);
  if (out !== undefined) faults.push({ path: ['given', 'setup'], message: out });
  for (const name of Object.keys(secrets).filter((one) => !/^(?!COPS_)[A-Z][A-Z0-9_]*$/i.test(one) || OWN.has(one)))
    faults.push({ path: ['given', 'secrets', name], message: `${name} cannot be the name of a set-up's secret` });
  return faults;
}

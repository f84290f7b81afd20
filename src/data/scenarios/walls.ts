import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { splitTemplate } from '../../account/profiles/names.js';
import { usage } from '../../base/errors/errors.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { ScenarioFault, ScenarioFile, ScenarioStep } from '../../items/checks/scenario-shape.js';

/** Commands beside the families that a scenario may run: what reaches no key, no network and no other folder. */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['find', 'why', 'timeline', 'history', 'overview', 'report', 'sql', 'reference', 'explain', 'commands'],
  ...['bulk', 'export', 'sync', 'setup', 'api', 'sandbox', 'openapi', 'changes'],
]);

/** Of the sandbox: what waits for ever, or replaces the copy that the scenario works on. */
const SANDBOX: ReadonlySet<string> = new Set([
  'status',
  'events',
  'trigger',
  'runs',
  'outbox',
  'answers',
  'keys',
  'clock',
]);

const OPTIONS = /^--(?:base-url|profile|send-key-to|editor|mirror|ledger|forward-to|follow|watch|debug)\b|^-[^-]*p/;

/** What is wrong with a line of a scenario, which is code that somebody else wrote; undefined for one that may run. */
export function lineFault(words: readonly string[], folder?: string): string | undefined {
  const option = words.find((word) => OPTIONS.test(word));
  if (option !== undefined)
    return `${option.replace(/=.*/s, '')} is not for scenarios: they reach their own copy of the sandbox alone`;
  const [head = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const family = head.replaceAll('_', '-');
  const isFamily = FAMILY_INDEX.some(({ command }) => command === family || command === `${family}s`);
  if (!isFamily && !COMMANDS.has(head)) return `cops ${head} is not for scenarios`;
  if (head === 'sandbox' && !SANDBOX.has(second)) return `cops sandbox ${second} is not for scenarios`;
  if (isFamily && ['dev', 'tail', 'watch'].includes(second)) return `cops ${head} ${second} is not for scenarios`;
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
  if (/(?:^|[=@])(?:cmd|env|postgres(?:ql)?):/i.test(word))
    return `${JSON.stringify(word)} reaches beyond the scenario`;
  for (const part of parts) {
    if (/^(?:[/\\~]|[A-Za-z]:[\\/])/.test(part) || part.split(/[/\\]/).includes('..') || part.includes('\0'))
      return `${JSON.stringify(word)} names a place outside the scenario's folder`;
    if (folder === undefined) continue;
    const place = resolve(folder, part);
    if (existsSync(place) && !isWithin(realpathSync(place), realpathSync(folder)))
      return `${JSON.stringify(word)} leads outside the scenario's folder`;
  }
  return undefined;
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + sep);
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

/** What a file may not do, found when it is read; values that are bound later are checked before each line too. */
export function wallFaults(scenario: ScenarioFile): ScenarioFault[] {
  const lists: [readonly (string | number)[], readonly ScenarioStep[]][] = [
    [['steps'], scenario.steps],
    ...Object.entries(scenario.shared ?? {}).map(
      ([name, steps]): [readonly (string | number)[], readonly ScenarioStep[]] => [['shared', name], steps],
    ),
  ];
  const faults = lists.flatMap(([path, steps]) =>
    steps.flatMap((step, at): ScenarioFault[] => {
      if (step.use !== undefined && !Object.hasOwn(scenario.shared ?? {}, step.use))
        return [{ path: [...path, at, 'use'], message: `shared has no ${step.use}` }];
      if (step.run === undefined) return [];
      const words = stepWords(step.run);
      const message = words.length === 0 ? 'a command is missing' : lineFault(words);
      return message === undefined ? [] : [{ path: [...path, at, 'run'], message }];
    }),
  );
  const setup = scenario.given?.setup;
  const out = setup === undefined ? undefined : placeFault(setup, undefined);
  return out === undefined ? faults : [...faults, { path: ['given', 'setup'], message: out }];
}

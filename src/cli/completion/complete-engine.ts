import { splitTemplate } from '../../account/profiles/profile-names.js';
import { isoDay } from '../../base/time/units.js';
import { familyByCommand } from '../../catalogue/index.js';
import { commandSpec } from '../commands/index.js';
import { dashed } from '../parser/argv.js';
import { beginning, behind, type CompletionAnswer, type CompletionCandidate, NOTHING } from './answer.js';
import { commandScene } from './complete-commands.js';
import { familyScene } from './complete-family.js';
import {
  type CompletionScene,
  type Facts,
  globalKnownOptions,
  type KnownOption,
  type OptionScan,
  scan,
} from './complete-options.js';
import { heads } from './complete-values.js';
import type { Sources } from './typed-values.js';

/** The candidates at the cursor, after `before` (without the program's name) and with `current` typed. */
export async function candidatesAt(
  before: readonly string[],
  current: string,
  facts: Facts,
): Promise<CompletionAnswer> {
  const globals = globalKnownOptions(sourcesOf(facts));
  const first = scan(before, globals);
  const [head] = first.positionals;
  const sources = sourcesOf(facts, first);
  if (head === undefined) {
    const aliases = Object.entries(facts.configuration().aliases);
    const own = aliases.map(([value, template]) => ({ value, about: `alias: ${template}` }));
    const positional = (_: unknown, typed: string) =>
      beginning([...heads(), ...own, ...pluginCandidates(facts)], headTyped(typed));
    return atCursor({ options: [], used: 0, positional }, globals, before, current);
  }
  const spec = commandSpec(dashed(head));
  if (spec) return atCursor(await commandScene(spec, before, globals, sources), globals, before, current);
  const entry = familyByCommand(head);
  if (entry) {
    const scene = await familyScene(entry, first.positionals.slice(1), sources);
    return atCursor(scene, globals, before, current);
  }
  const { aliases } = facts.configuration();
  const template = Object.hasOwn(aliases, head) ? splitTemplate(aliases[head] ?? '') : [];
  // After a template with placeholders, nothing is certain.
  if (template.length === 0 || template.some((word) => /\$[1-9]/.test(word)) || template[0] === head) return NOTHING;
  const place = before.indexOf(head);
  return candidatesAt([...before.slice(0, place), ...template, ...before.slice(place + 1)], current, {
    ...facts,
    configuration: () => ({ ...facts.configuration(), aliases: {} }),
  });
}

/** Plugins that no built-in word shadows; an alias of the same name does shadow one. */
function pluginCandidates(facts: Facts): CompletionCandidate[] {
  const taken = (name: string) =>
    Boolean(commandSpec(name) ?? familyByCommand(name)) || Object.hasOwn(facts.configuration().aliases, name);
  return (facts.plugins?.() ?? []).flatMap(({ name, file }) =>
    taken(name) ? [] : [{ value: name, about: `plugin: ${file}` }],
  );
}

/** Families may be typed with underscores and capitals too. */
const headTyped = (typed: string): string => (/^[A-Za-z][\w-]*$/.test(typed) ? dashed(typed) : typed);

async function atCursor(
  scene: CompletionScene,
  globals: readonly KnownOption[],
  before: readonly string[],
  current: string,
): Promise<CompletionAnswer> {
  const own = new Set(scene.options.flatMap((option) => option.names));
  const options = [...scene.options, ...globals.filter((option) => !option.names.some((name) => own.has(name)))];
  const found = scan(before, options);
  if (found.pending) return found.pending.values(current);
  const [, joined, value = ''] = (!found.ended && /^(--[^=]*=|-[^-](?=.))(.*)$/s.exec(current)) || [];
  if (joined !== undefined) {
    const option = options.find((one) => one.takesValue && one.names.includes(joined.replace(/=$/, '')));
    return option ? behind(joined, await option.values(value)) : NOTHING;
  }
  if (!found.ended && current.startsWith('-')) return beginning(optionCandidates(options, found.given), current);
  const answer = await scene.positional(found.positionals.slice(scene.used), current);
  if (current !== '' || found.ended || answer.candidates.length > 0 || answer.files) return answer;
  return { candidates: optionCandidates(scene.options, found.given) };
}

/** Options still possible: each by its long name, without those already given. */
const optionCandidates = (options: readonly KnownOption[], given: ReadonlySet<string>): CompletionCandidate[] =>
  options
    .filter((option) => option.many || !option.names.some((name) => given.has(name) || given.has(opposite(name))))
    .map((option) => ({ value: option.names.at(-1) ?? '', about: option.about }));

const opposite = (name: string): string =>
  name.startsWith('--no-') ? `--${name.slice(5)}` : name.replace(/^--/, '--no-');

/** @param line the words before the cursor, where they determine whose ids to offer */
function sourcesOf(facts: Facts, line?: OptionScan): Sources {
  const mode = (['live', 'test'] as const).find((one) => line?.given.has(`--${one}`));
  return {
    profiles: () => facts.configuration().profiles,
    aliases: () => facts.configuration().aliases,
    ids(name) {
      const family = familyByCommand(name.replace(/[_-](?:id|filter)$/, ''))?.name;
      if (family === undefined) return [];
      return facts.seen(family, { profile: line?.said.get('--profile'), mode }).map(({ id, name: called, made }) => {
        const day = made > 0 && made < 8.64e12 ? isoDay(made) : '';
        return { value: id, about: [called, day].filter((part) => part !== '').join('  ') };
      });
    },
  };
}

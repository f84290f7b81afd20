import Big from 'big.js';
import { local } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { zoneOf } from '../../base/time/zones.js';
import { canonicalAction, FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { isObject, NumberText, type Tree, type TreeObject } from '../../items/json/tree.js';
import { parseYaml } from '../../service/body/parse-yaml.js';
import { camelCase } from '../profiles/settings.js';
import { RULE_FIELDS, type RuleField } from './rule-fields.js';
import type { Limits, Policy, Rule } from './types.js';
import { writesOf } from './verbs.js';

const TOP = ['zone', 'counts_from', 'rules'];
const RULE = ['name', ...RULE_FIELDS.map(({ name }) => name)];
const MINUTES_A_DAY = 1440;

/**
 * Reads the text of a policy (YAML, so JSON as well). Whatever is not understood is a fault: a rule that is passed over
 * would be none.
 * @param path names it in messages
 * @param cure how to correct it
 * @throws CopsError local (11) that names all faults
 */
export async function parsePolicy(text: string, path: string, cure: Text = cops`policy edit`): Promise<Policy> {
  const hint = say`Nothing is written until it is readable: ${cure}.`;
  let tree: Tree;
  try {
    tree = await parseYaml(text);
  } catch (error) {
    throw local(`${path}: ${(error as Error).message}`, hint);
  }
  const faults: string[] = [];
  const policy = new Reading(faults).policy(tree);
  if (faults.length > 0) throw local(`${path} is not right: ${faults.join('; ')}`, hint);
  return policy;
}

const LIMITS = RULE_FIELDS.filter(({ isLimit, reads }) => isLimit && reads !== 'flag').map(({ name }) => name);

class Reading {
  constructor(private readonly faults: string[]) {}

  policy(tree: Tree): Policy {
    if (!isObject(tree)) {
      this.faults.push('it must be an object with zone and rules');
      return { zone: 'UTC', rules: [] };
    }
    this.strangers(tree, TOP, '');
    const zone = this.text(tree.zone, 'zone') ?? '';
    try {
      zoneOf(zone, 'zone');
    } catch {
      this.faults.push('zone must name a time zone, such as Europe/Berlin');
    }
    const from =
      tree.counts_from === undefined ? undefined : Date.parse(this.text(tree.counts_from, 'counts_from') ?? '');
    if (from !== undefined && Number.isNaN(from))
      this.faults.push('counts_from must be a moment: 2026-01-31T10:00:00Z');
    if (!Array.isArray(tree.rules)) this.faults.push('rules must be a list');
    const rules = (Array.isArray(tree.rules) ? tree.rules : []).map((rule, index) => this.rule(rule, index));
    const names = rules.map(({ name }) => name);
    if (new Set(names).size < names.length) this.faults.push('two rules have one name');
    return { zone, countsFrom: from, rules };
  }

  private rule(tree: Tree, index: number): Rule {
    const at = `rules[${index}]`;
    if (!isObject(tree)) {
      this.faults.push(`${at} must be an object`);
      return { name: at };
    }
    this.strangers(tree, RULE, `${at}.`);
    const read = RULE_FIELDS.map((field) => [camelCase(field.name), this.field(tree[field.name], field, at)]);
    if (tree.reason !== true && !LIMITS.some((name) => tree[name] !== undefined))
      this.faults.push(`${at} forbids nothing: add one of ${LIMITS.join(', ')} or reason: true`);
    return { name: this.text(tree.name, `${at}.name`) ?? at, ...Object.fromEntries(read) };
  }

  private field(value: Tree | undefined, field: RuleField, rule: string): unknown {
    const at = `${rule}.${field.name}`;
    switch (field.reads) {
      case 'choices':
        return this.choices(value, at, field.values ?? []);
      case 'operations':
        return this.operations(value, at, field);
      default:
        return this[field.reads](value, at);
    }
  }

  private strangers(tree: TreeObject, known: readonly string[], at: string): void {
    for (const name of Object.keys(tree))
      if (!known.includes(name)) this.faults.push(`${at}${name} is unknown (known: ${known.join(', ')})`);
  }

  private text(value: Tree | undefined, at: string): string | undefined {
    if (typeof value === 'string' && value !== '') return value;
    this.faults.push(`${at} must be a text`);
    return undefined;
  }

  private words(value: Tree | undefined, at: string, mayBeNone = false): readonly string[] | undefined {
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length === 0 && !mayBeNone)
      this.faults.push(`${at} is empty, so the rule guards nothing: leave it out, or name something`);
    if (Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')) return value as string[];
    this.faults.push(`${at} must be a list of words`);
    return undefined;
  }

  private choices(value: Tree | undefined, at: string, known: readonly string[]): readonly string[] | undefined {
    const words = this.words(value, at);
    for (const word of words ?? [])
      if (!known.includes(word)) this.faults.push(`${at}: ${word} is none of ${known.join(', ')}`);
    return words;
  }

  /** Families and operations in command-line words, each checked: a mistyped one would guard nothing. */
  private operations(
    value: Tree | undefined,
    at: string,
    { exact, mayBeNone }: RuleField,
  ): readonly string[] | undefined {
    return this.words(value, at, mayBeNone)?.flatMap((words) => {
      const [head = '', ...action] = words.trim().split(/\s+/);
      const entry = familyByCommand(head);
      if (head === 'api' && !exact) return words;
      const ofAll = entry || exact ? [] : writesOf(words.trim());
      if (ofAll.length > 0) return ofAll;
      const matched = entry && action.length > 0 ? canonicalAction(entry, action) : undefined;
      const isWhole = matched !== undefined && matched.used === action.length;
      if (!entry || (action.length > 0 && !isWhole)) {
        this.faults.push(`${at}: ${words} is neither a family nor an operation (see: ${cops`commands`})`);
      } else if (exact && action.length === 0) {
        this.faults.push(`${at}: ${words} must name one operation, not a family`);
      }
      const name = FAMILY_INDEX.find((one) => one.name === entry?.name)?.command ?? head;
      return matched ? `${name} ${matched.action}` : name;
    });
  }

  private amounts(value: Tree | undefined, at: string): Limits | undefined {
    if (value === undefined) return undefined;
    const limits = new Map<string, Big>();
    if (!isObject(value)) this.faults.push(`${at} must give an amount for each currency: {USD: 100}`);
    for (const [currency, amount] of isObject(value) ? Object.entries(value) : []) {
      const text = amount instanceof NumberText ? amount.text : typeof amount === 'string' ? amount : '';
      if (!/^[A-Z]{3}$/.test(currency))
        this.faults.push(`${at}: ${currency} is not a currency (three capital letters)`);
      if (!/^\d{1,15}(\.\d{1,8})?$/.test(text)) this.faults.push(`${at}.${currency} must be an amount such as 100.00`);
      else limits.set(currency, new Big(text));
    }
    return limits;
  }

  private count(value: Tree | undefined, at: string): number | undefined {
    if (value instanceof NumberText && /^\d{1,9}$/.test(value.text)) return value.value;
    if (value !== undefined) this.faults.push(`${at} must be a whole number`);
    return undefined;
  }

  private flag(value: Tree | undefined, at: string): true | undefined {
    if (value !== undefined && typeof value !== 'boolean') this.faults.push(`${at} must be true or false`);
    return value === true ? true : undefined;
  }

  private hours(value: Tree | undefined, at: string): readonly [number, number] | undefined {
    if (value === undefined) return undefined;
    const match = typeof value === 'string' ? /^(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)$/.exec(value) : null;
    const [from, to] = [Number(match?.[1]) * 60 + Number(match?.[2]), Number(match?.[3]) * 60 + Number(match?.[4])];
    const isTime = match && Number(match[2]) < 60 && Number(match[4]) < 60 && from !== to;
    if (isTime && from <= MINUTES_A_DAY && to <= MINUTES_A_DAY) return [from, to];
    this.faults.push(`${at} must be a span of the day: "08:00-18:00"`);
    return undefined;
  }
}

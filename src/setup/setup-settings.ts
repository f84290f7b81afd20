import { isObject, NumberText, ownMember, type Tree, type TreeObject } from '../items/json/tree.js';

/** The contents of `cops.setup.yaml`. */
export interface SetupSettings {
  /** Families that the folder holds; empty means all. */
  readonly families: readonly string[];
  /** Values of `${var.name}` for all environments. */
  readonly vars: Readonly<Record<string, string>>;
  /** Values for one environment, by `profile:mode`. */
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const SETTINGS_FILE = 'cops.setup.yaml';

export const NO_SETTINGS: SetupSettings = { families: [], vars: {}, environments: {} };

/** The JSON Schema of that file, for editors. @param families those that can be kept as files */
export function settingsSchema(families: readonly string[]): object {
  const vars = { type: ['object', 'null'], additionalProperties: { type: ['string', 'number', 'boolean'] } };
  const inside = { type: 'object', properties: { var: vars } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: SETTINGS_FILE,
    description: 'A set-up of cops: the contents of its folder, and the values of its variables.',
    type: 'object',
    properties: {
      version: { const: 1 },
      families: { type: ['array', 'null'], items: { enum: families }, description: 'Only these; all if empty.' },
      var: { ...vars, description: `Values of \${var.name} for all environments.` },
      environments: {
        type: ['object', 'null'],
        description: 'Values for one environment, by its name: profile:test, profile:live.',
        patternProperties: { ':(?:test|live)$': inside },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
}

type Tell = (parts: readonly (string | number)[], message: string) => void;

/** Reads the settings from their tree. @param fault called for every fault, with its path */
export function parseSettings(tree: Tree, families: ReadonlySet<string>, fault: Tell): SetupSettings {
  if (!isObject(tree)) {
    fault([], 'must contain an object');
    return NO_SETTINGS;
  }
  for (const name of Object.keys(tree))
    if (!['version', 'families', 'var', 'environments'].includes(name)) fault([name], 'is not a setting of a set-up');
  const version = ownMember(tree, 'version');
  if (version !== undefined && !(version instanceof NumberText && version.value === 1))
    fault(['version'], 'this version of cops only knows version 1');
  return {
    families: familiesOf(ownMember(tree, 'families'), families, fault),
    vars: varsOf(ownMember(tree, 'var'), ['var'], fault),
    environments: environmentsOf(ownMember(tree, 'environments'), fault),
  };
}

function familiesOf(value: Tree | undefined, known: ReadonlySet<string>, fault: Tell): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    fault(['families'], 'must be a list of families');
    return [];
  }
  return value.flatMap((one, index) => {
    const name = typeof one === 'string' ? one.replaceAll('_', '-') : '';
    if (known.has(name)) return [name];
    fault(['families', index], 'is not a family that can be kept as files (cops setup graph names them)');
    return [];
  });
}

function environmentsOf(value: Tree | undefined, fault: Tell): SetupSettings['environments'] {
  const all = objectAt(value, ['environments'], 'must be an object: profile:mode with its var', fault);
  return Object.fromEntries(
    Object.entries(all).map(([name, inner]) => {
      if (!/:(?:test|live)$/.test(name)) fault(['environments', name], 'must be named profile:test or profile:live');
      const vars = isObject(inner) ? ownMember(inner, 'var') : undefined;
      return [name, varsOf(vars, ['environments', name, 'var'], fault)];
    }),
  );
}

function varsOf(value: Tree | undefined, parts: readonly string[], fault: Tell): Readonly<Record<string, string>> {
  const vars: Record<string, string> = {};
  for (const [name, member] of Object.entries(objectAt(value, parts, 'must be an object of names and values', fault))) {
    const text = member instanceof NumberText ? member.text : member;
    if (typeof text === 'string' || typeof text === 'boolean') vars[name] = String(text);
    else fault([...parts, name], 'must be a text or a number');
  }
  return vars;
}

/** The object at that place, or an empty one. */
function objectAt(value: Tree | undefined, parts: readonly string[], must: string, fault: Tell): TreeObject {
  if (isObject(value)) return value;
  if (value !== undefined && value !== null) fault(parts, must);
  return {};
}

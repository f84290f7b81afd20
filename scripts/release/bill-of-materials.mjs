// A CycloneDX bill of materials of the executables: the packages whose files are in the bundle, as npm knows them, and
// Node with its libraries.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { builderFor, NODE_VERSIONS } from './nodes.mjs';

/** Entries of Node's versions that name an interface or a table, not a component. */
const NO_PARTS = new Set(['modules', 'napi', 'unicode', 'cldr', 'tz']);

/**
 * Writes the bill to `file`. `inputs` are the paths of all bundled files, below `root`. Has no serial number or time,
 * so that two builds of the same state are identical.
 */
export function writeBillOfMaterials(root, inputs, file, { seconds, cache }) {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const all = JSON.parse(text);
  const inside = new Set(inputs.map(packageOf).filter(Boolean));
  const nodes = Object.keys(NODE_VERSIONS).map((platform) => partsOfNode(builderFor(platform, cache)));
  const engine = new Map(nodes.flat().map((part) => [part['bom-ref'], part]));
  const components = all.components
    .filter(({ name }) => inside.has(name))
    .map(({ scope: _, properties: __, ...component }) => ({ ...component, scope: 'required' }));
  const found = new Set(components.map(({ name }) => name));
  const unknown = [...inside].filter((name) => !found.has(name));
  if (unknown.length > 0) throw new Error(`bundled, but not in the lock file: ${unknown.join(', ')}`);
  const kept = new Set([...components.map((component) => component['bom-ref']), ...engine.keys()]);
  const { serialNumber: _, ...bill } = all;
  bill.metadata.timestamp = new Date(seconds * 1000).toISOString();
  bill.metadata.component.name = 'cops';
  bill.metadata.component.type = 'application';
  bill.components = [...components, ...engine.values()];
  bill.dependencies = [
    { ref: bill.metadata.component['bom-ref'], dependsOn: [...kept].sort() },
    ...all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  ];
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  return components.length;
}

/** Node and its libraries (SQLite, OpenSSL, V8, …), as the executable reports them. */
function partsOfNode(executable) {
  const text = execFileSync(executable, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' });
  return Object.entries(JSON.parse(text))
    .filter(([name]) => !NO_PARTS.has(name))
    .map(([name, version]) => ({
      'bom-ref': `${name}@${version}`,
      type: name === 'node' ? 'platform' : 'library',
      name,
      version,
      purl: `pkg:generic/${name}@${version}`,
      ...(name === 'node' ? { licenses: [{ license: { id: 'MIT' } }] } : {}),
    }));
}

function packageOf(file) {
  const below = file.split('node_modules/').at(-1);
  if (below === undefined || below === file) return undefined;
  return below
    .split('/')
    .slice(0, below.startsWith('@') ? 2 : 1)
    .join('/');
}

// A CycloneDX bill of materials of what is inside the executables: the packages whose files the bundle took, as npm
// knows them, and Node.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { NODE_VERSION } from './nodes.mjs';

/**
 * Writes the bill to `file`. `inputs` are the paths of all bundled files, below `root`. Neither serial number nor time
 * is in it, so that two builds of one state are the same.
 */
export function writeBillOfMaterials(root, inputs, file, seconds) {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const all = JSON.parse(text);
  const inside = new Set(inputs.map(packageOf).filter(Boolean));
  const node = {
    'bom-ref': `node@${NODE_VERSION}`,
    type: 'platform',
    name: 'node',
    version: NODE_VERSION,
    purl: `pkg:generic/node@${NODE_VERSION}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = all.components
    .filter(({ name }) => inside.has(name))
    .map(({ scope: _, properties: __, ...component }) => ({ ...component, scope: 'required' }));
  const found = new Set(components.map(({ name }) => name));
  const unknown = [...inside].filter((name) => !found.has(name));
  if (unknown.length > 0) throw new Error(`bundled, but not in the lock file: ${unknown.join(', ')}`);
  const kept = new Set([...components.map((component) => component['bom-ref']), node['bom-ref']]);
  const { serialNumber: _, ...bill } = all;
  bill.metadata.timestamp = new Date(seconds * 1000).toISOString();
  bill.metadata.component.name = 'cops';
  bill.metadata.component.type = 'application';
  bill.components = [...components, node];
  bill.dependencies = [
    { ref: bill.metadata.component['bom-ref'], dependsOn: [...kept].sort() },
    ...all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  ];
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  return components.length;
}

function packageOf(file) {
  const below = file.split('node_modules/').at(-1);
  if (below === undefined || below === file) return undefined;
  return below
    .split('/')
    .slice(0, below.startsWith('@') ? 2 : 1)
    .join('/');
}

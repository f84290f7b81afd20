// A hundred small scenarios, ten steps each on a business of fifty renewals, by the built program: how long they take.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = resolve(import.meta.dirname, '../bin/cops.js');
const COUNT = 100;
/** On two cores that nobody else uses. */
const MOST_SECONDS = 20;

const text = (n) => `version: 1
given: { renewals: 50 }
steps:
  - event: sale.created.success.paid
  - run: projects create --name A${n}
    as: made
  - run: projects edit \${made.id} --name B
  - run: projects get \${made.id}
  - run: sales list --limit 5
  - advance: 1d
  - run: customers list --limit 5
  - run: transactions list --limit 5
  - run: projects list
  - run: subscriptions list --limit 5
expect:
  - list: projects
    where: [name=B]
    count: 1
`;

/** Plays them, and gives a line about it. */
export function timeScenarios() {
  const dir = mkdtempSync(join(tmpdir(), 'bench-scenarios-'));
  try {
    mkdirSync(join(dir, 'all'));
    for (let n = 0; n < COUNT; n++) writeFileSync(join(dir, 'all', `s${n}.test.yaml`), text(n));
    const usage = join(dir, 'cpu');
    const env = {
      ...process.env,
      COPS_DATA_DIR: join(dir, 'data'),
      COPS_CONFIG_DIR: join(dir, 'config'),
      CPU_FILE: usage,
    };
    // Every process of it says what it took.
    const watch =
      "import{appendFileSync}from'node:fs';process.on('exit',()=>{const u=process.resourceUsage();appendFileSync(process.env.CPU_FILE,(u.userCPUTime+u.systemCPUTime)/1e6+'\\n')})";
    const began = Date.now();
    const words = ['test', join(dir, 'all'), '-o', 'json'];
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`];
    const done = spawnSync(process.execPath, [...flags, PROGRAM, ...words], { env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
    const cpu = readFileSync(usage, 'utf8')
      .trim()
      .split('\n')
      .reduce((sum, one) => sum + Number(one), 0);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    return `${COUNT} small scenarios: ${seconds} s (at most ${MOST_SECONDS} s), ${cpu.toFixed(1)} s of processor time`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${timeScenarios()}\n`);

// Writes views.generated.ts beside each folder of views, and docs/reports.md, from the SQL files: one view per file,
// whose comments describe a row, the columns it needs of the raw tables, and each of its own columns; the page also
// describes the reports. `--check` only reports stale files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['src/data/mirror/views'];

const REPORTS = `## Reports

![Revenue by month, as a curve](pictures/report-chart.svg)

\`cops report <name>\` queries the \`report_*\` views. \`--sql\` prints the query, \`--explain\` the
definition, the basis (on which day a thing counts) and every column. With \`-o json\` the answer is one object:

| Member | Meaning |
|---|---|
| \`report\`, \`definition\`, \`basis\` | the report, and what its figures mean |
| \`from\`, \`to\`, \`tz\` | the period, including both ends, and the zone of its days and months |
| \`mode\`, \`mirror\`, \`as_of\` | the mode and file of the data, and when the last sync began |
| \`incomplete\` | lists that are incomplete or unproven; any means exit code 10 |
| \`notes\` | other notes, such as a period that ends after the mirror does |
| \`partial\` | days, months or years that the period covers only partly: \`bucket\`, \`from\` and \`to\` if it is cut, \`so_far\` if it is not over |
| \`by\`, \`overdue_days\` | how the rows are grouped, and the rule for overdue subscriptions |
| \`with_trials\` | whether recurring revenue counts a subscription before its trial is paid |
| \`rows\` | the figures; an amount is a number with all digits of its currency, an unknown figure is \`null\` |
| \`totals\` | the same figures without groups, one object per currency; absent if there is nothing to add up |
| \`against\` | with \`--against\`: the other period; each row has its figures as \`<name>_before\` and the change as \`<name>_change\` |
| \`proofs\`, \`differences\` | how many equalities were checked, and those that do not hold; any of these means exit code 10 |
| \`inexact\` | rows that could not be counted; any means exit code 10 |

\`-o csv\`, \`tsv\` and \`jsonl\` print only the rows. A row has its groups, \`currency\`, and the columns
below. What belongs to no product has the product \`null\` in json and jsonl, and \`no product\` in tables, pages, csv, tsv
and workbooks, with \`: shipping, tax\` if it is only these. New versions may add members and columns, but never rename or remove one. Rows are in order of time; within other
groups, those of a currency are in order of its sum, largest first.
`.split('\n');

/** The descriptions of the reports, from their sources. */
async function reportSections() {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "export { REPORTS } from './reports.ts'; export { groupKeys } from './statement.ts'; export { REPORT_NAMES } from './report-names.ts'; export { DIMENSIONS } from './dimensions.ts';",
      resolveDir: path.join(root, 'src/data/report'),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const {
    REPORTS: reports,
    groupKeys,
    REPORT_NAMES,
    DIMENSIONS,
  } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
  const cell = (text) => text.replaceAll('|', '\\|');
  const dimensions = [
    '### Dimensions',
    '',
    'What `--by`, `--across` and `--where` take besides day, week, month, quarter and year. Each report lists its own below.',
    '',
    '| Word | Meaning | Other words |',
    '|---|---|---|',
    ...Object.entries(DIMENSIONS).map(
      ([name, { about, also = [] }]) =>
        `| \`${name}\` | ${cell(about)} | ${also.map((word) => `\`${word}\``).join(', ')} |`,
    ),
    '',
  ];
  const withBeside = (report) => (word) => {
    const { beside, called } = DIMENSIONS[word] ?? {};
    const columns = [beside?.column, report.kind === 'grouped' ? called?.column : undefined].filter(Boolean);
    return columns.length === 0 ? `\`${word}\`` : `\`${word}\` (with \`${columns.join('`, `')}\`)`;
  };
  const sections = reports.flatMap((report) => {
    const columns = [...(report.leads ?? []), ...(report.columns ?? report.measures)];
    const by = report.kind === 'sections' ? [] : groupKeys(report);
    return [
      `### cops report ${report.name}`,
      '',
      `${REPORT_NAMES[report.name][0].toUpperCase()}${REPORT_NAMES[report.name].slice(1)}. ${report.definition}`,
      '',
      report.basis,
      ...(report.rule ? ['', report.rule] : []),
      ...(by.length > 0 ? ['', `\`--by\` ${by.map(withBeside(report)).join(', ')}.`] : []),
      ...Object.entries(report.refused ?? {}).flatMap(([word, reason]) => ['', `Not by \`${word}\`: ${reason}.`]),
      '',
      '| Column | Unit | Meaning |',
      '|---|---|---|',
      ...columns.map(({ name, unit, about }) => `| \`${name}\` | ${unit} | ${cell(about)} |`),
      '',
    ];
  });
  return [...dimensions, ...sections];
}

/** One view, from the text of its file. */
export function readView(name, text) {
  const lines = text.trimEnd().split('\n');
  const head = [];
  while (lines[0]?.startsWith('--')) head.push(lines.shift().replace(/^-- ?/, ''));
  const needs = {};
  for (const line of head) {
    const match = /^needs (raw_\w+): (.+)$/.exec(line);
    if (match) needs[match[1]] = match[2].split(', ');
  }
  const about = head.filter((line) => !line.startsWith('needs ')).join(' ');
  if (about === '') throw new Error(`${name}.sql does not say what a row is`);
  const columns = lines.flatMap((line) => {
    const match = / AS (\w+),? -- (.+)$/.exec(line);
    return match ? [[match[1], match[2]]] : [];
  });
  return { name, about, needs, columns, sql: lines.join('\n') };
}

async function viewsOf(folder) {
  const files = (await readdir(path.join(root, folder))).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => readView(file.slice(0, -4), await readFile(path.join(root, folder, file), 'utf8'))),
  );
}

function pageOf(views, reports) {
  const parts = views.map(({ name, about, columns, sql }) => {
    const rows = columns.map(([column, meaning]) => `| \`${column}\` | ${meaning.replaceAll('|', '\\|')} |`);
    return [
      `## ${name}`,
      '',
      about,
      '',
      '| Column | Meaning |',
      '|---|---|',
      ...rows,
      '',
      '<details><summary>SQL</summary>',
      '',
      '```sql',
      sql,
      '```',
      '',
      '</details>',
      '',
    ].join('\n');
  });
  return [
    '<!-- Made by scripts/generate-views.mjs from the SQL files. Do not edit by hand. -->',
    '# Views of a mirror',
    '',
    '`cops sync` keeps a mirror: one SQLite file with a table `raw_<family>` for each list, the views below, and a view of',
    "each family's own name. `cops sql` queries it. Amounts are whole numbers of the currency's minor unit (cents of a dollar,",
    'yen). An amount that is finer, or has no currency, is NULL, and a query that reads one ends with exit code',
    '10. Amounts of different currencies are never added up: group by `currency`.',
    '',
    ...REPORTS,
    ...reports,
    ...parts,
  ].join('\n');
}

/** The contents of the generated files, by path from the root. */
export async function generateViews() {
  const made = {};
  const all = [];
  for (const folder of FOLDERS) {
    const views = await viewsOf(folder);
    all.push(...views);
    made[path.posix.join(path.posix.dirname(folder), 'views.generated.ts')] = [
      '// biome-ignore-all format: made by a script, which keeps its own form',
      '// Made by scripts/generate-views.mjs from the SQL files. Do not edit by hand.',
      "import type { ViewText } from './layout.js';",
      '',
      '/** The views, one a line as each is one SQL file, which is what people read. */',
      'export const VIEW_TEXTS: readonly ViewText[] = [',
      ...views.map((view) => `  ${JSON.stringify(view)},`),
      '];',
      '',
    ].join('\n');
  }
  made['docs/reports.md'] = pageOf(all, await reportSections());
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(await generateViews())) {
    const target = path.join(root, file);
    const stale = (await readFile(target, 'utf8').catch(() => '')) !== text;
    if (stale && process.argv.includes('--check')) {
      process.stderr.write(`${file} is stale: run node scripts/generate-views.mjs\n`);
      process.exitCode = 1;
    } else if (stale) await writeFile(target, text);
  }
}

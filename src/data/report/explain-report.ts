import type { Context, Done } from '../../session/context/context.js';
import { one } from '../../session/context/run.js';
import { familiesOf, queryOf, viewsBehind } from '../mirror/views.js';
import { DIMENSIONS } from './dimensions.js';
import { SPLITS } from './fact-source.js';
import { REPORT_NAMES } from './report-names.js';
import type { ReportQuestion } from './report-question.js';
import type { AnyReport } from './sectioned-report.js';
import { statementOf, withPeriod } from './statement.js';

/** The views that a report reads. */
export function viewsOf(report: AnyReport, by: readonly string[] = []): readonly string[] {
  if (report.kind === 'grouped') return [report.view, ...(report.splits ? [SPLITS] : [])];
  const { viewsOfGroups = {} } = report.kind === 'own' ? report : {};
  return [...report.views, ...by.flatMap((word) => viewsOfGroups[word] ?? [])];
}

/**
 * `--sql`: the views as comments, including those they read in turn, then the query that runs over them. The queries
 * that prove a figure are comments too, so that `cops sql` runs the output unchanged.
 */
export function printedSql(report: AnyReport, question: ReportQuestion): string {
  const views = [...viewsBehind(viewsOf(report, question.by))].map((name) =>
    comment(`The view ${name}:`, '', queryOf(name)),
  );
  return [...views, ...queriesOf(report, question)].join('\n\n');
}

function queriesOf(report: AnyReport, question: ReportQuestion): string[] {
  if ('queries' in report)
    return report.queries(question).map(({ fills, sql }) => `${comment(`Fills ${fills}:`)}\n${sql};`);
  const proofs = Object.entries(report.controls ?? {});
  return [
    ...proofs.map(([name, sql]) => comment(`The sum of ${name} must equal:`, withPeriod(sql, question.period).trim())),
    `${statementOf(report, question).sql};`,
  ];
}

const comment = (...texts: readonly string[]): string =>
  texts
    .join('\n')
    .split('\n')
    .map((line) => `-- ${line}`.trimEnd())
    .join('\n');

/** Columns beside a group, with more about its values. */
const besideOf = (groups: readonly string[], isGrouped: boolean): string[] =>
  groups.flatMap((name) => {
    const { beside, called } = DIMENSIONS[name] ?? {};
    return [...(beside ? [beside.column] : []), ...(called && isGrouped ? [called.column] : [])];
  });

/** `--explain`: what the figures mean, on which day a thing counts, and where the data comes from. */
export async function explained(context: Context, report: AnyReport): Promise<Done> {
  const views = viewsOf(report);
  const columns =
    report.kind === 'grouped'
      ? [
          ...report.measures,
          ...(report.rated?.measures ?? []).filter(({ name }) => !report.measures.some((one) => one.name === name)),
        ]
      : [...((report.kind === 'own' && report.leads) || []), ...report.columns];
  const groups = report.kind === 'sections' ? [] : Object.keys(report.groups);
  const facts = {
    report: report.name,
    about: REPORT_NAMES[report.name],
    definition: report.definition,
    basis: report.basis,
    rule: report.rule ?? null,
    views,
    families: familiesOf(views),
    by: groups,
    beside: besideOf(groups, report.kind === 'grouped'),
    columns: columns.map(({ name, unit, about }) => ({ name, unit, about })),
  };
  const { format, query } = await context.settings();
  if (format !== 'table' || query !== undefined) return { result: one(facts) };
  const lines = [
    `${facts.report}: ${facts.about}`,
    '',
    `Definition: ${facts.definition}`,
    `Basis: ${facts.basis}`,
    ...(facts.rule === null ? [] : [`Rule: ${facts.rule}`]),
    `Source: ${views.join(', ')}, over ${facts.families.join(', ')}`,
    ...(facts.by.length === 0
      ? []
      : [`By: ${facts.by.join(', ')}; and day, week, month, quarter or year if the report has no fixed months`]),
    '',
    ...facts.columns.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`),
  ];
  return { result: { shape: 'text', text: lines.join('\n') } };
}

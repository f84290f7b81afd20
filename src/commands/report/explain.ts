import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { Item } from '../../json/item.js';
import { familiesOf, MIRROR_VIEWS } from '../../mirror/views.js';
import { CLOSE_COLUMNS, CLOSE_VIEWS, differencesSql } from '../../report/close.js';
import { journalSql } from '../../report/journal.js';
import { REVENUE } from '../../report/money-reports.js';
import { type Question, statementOf } from '../../report/statement.js';
import type { Report, ReportTexts } from '../../report/types.js';

type Chosen = Report | (ReportTexts & { readonly kind: 'close' });

/** The views that a report reads. */
export const viewsOf = (report: Chosen): readonly string[] =>
  report.kind === 'close' ? CLOSE_VIEWS : report.kind === 'own' ? report.views : [report.view];

/** `--sql`: the views as comments, then the query that runs over them. */
export function printedSql(report: Chosen, question: Question): string {
  const views = viewsOf(report).map((name) => {
    const sql = MIRROR_VIEWS.find((view) => view.name === name)?.sql ?? '';
    return [`The view ${name}:`, '', ...sql.split('\n')].map((line) => `-- ${line}`.trimEnd()).join('\n');
  });
  const queries =
    report.kind === 'close'
      ? [statementOf(REVENUE, question).sql, differencesSql(question), journalSql(question)]
      : [statementOf(report, question).sql];
  return [...views, ...queries.map((sql) => `${sql};`)].join('\n\n');
}

/** `--explain`: what the figures mean, which day a thing counts on, and where they come from. */
export async function explained(context: Context, report: Chosen): Promise<Done> {
  const views = viewsOf(report);
  const columns = report.kind === 'close' ? CLOSE_COLUMNS : report.kind === 'own' ? report.columns : report.measures;
  const facts = {
    report: report.name,
    about: report.about,
    definition: report.definition,
    basis: report.basis,
    rule: report.rule ?? null,
    views,
    families: familiesOf(views),
    by: report.kind === 'close' ? [] : Object.keys(report.groups),
    columns: columns.map(({ name, unit, about }) => ({ name, unit, about })),
  };
  const { format, query } = await context.settings();
  if (format !== 'table' || query !== undefined) return { result: { shape: 'one', item: Item.of(facts) } };
  const lines = [
    `${facts.report}: ${facts.about}`,
    '',
    `Definition: ${facts.definition}`,
    `Basis: ${facts.basis}`,
    ...(facts.rule === null ? [] : [`Rule: ${facts.rule}`]),
    `Source: ${views.join(', ')}, over ${facts.families.join(', ')}`,
    ...(facts.by.length === 0
      ? []
      : [`By: ${facts.by.join(', ')}; and day, month, quarter or year where the report has no months of its own`]),
    '',
    ...facts.columns.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`),
  ];
  return { result: { shape: 'text', text: lines.join('\n') } };
}

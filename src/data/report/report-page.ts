import { scaleBand, scaleLinear } from 'd3-scale';
import { partsSaid } from '../../base/time/periods.js';
import { isoTime } from '../../base/time/units.js';
import { htmlPage, safe } from '../../screen/html-page.js';
import { asOfSaid, type ReportAnswer, reportCell, rowsForPeople } from './report-document.js';
import { MOST_CHARTS, type Series, scaleOf, seriesOf } from './report-series.js';
import { grouped, reportText, totalName } from './report-text.js';
import type { ReportRow } from './types.js';

/** A chart is as wide as its bars need: on a telephone its text stays readable and most of it stays in sight. */
const WIDEST = 960;
const NARROWEST = 360;
const HEIGHT = 260;
/** More columns than these are printed small, or A4 cuts them. */
const MOST_LARGE = 9;
const EDGE = { top: 16, right: 16, bottom: 44, left: 88 };

/** A report as one page that needs no network and runs no script: a table and a chart per currency. */
export function reportPage(answer: ReportAnswer, drawn: string | undefined): string {
  const { report, question, figures, ground } = answer;
  const currencies = [...new Set(figures.rows.map(({ currency }) => String(currency ?? '')))];
  const span = `${isoTime(question.period.begins).slice(0, 10)} to ${isoTime(question.period.ends - 1).slice(0, 10)}`;
  const title = question.period.begins === 0 ? `Report: ${report.name}` : `Report: ${report.name}, ${span}`;
  const faults = [
    ...ground.incomplete,
    ...figures.differences.map(({ says, currency, difference }) => `${says}: differs by ${difference} ${currency}`),
    ...(figures.inexact > 0 ? [`${figures.inexact} rows could not be counted: sums lack them`] : []),
  ];
  const notes = [
    ...(ground.stale ?? []),
    ...ground.notes,
    ...[partsSaid(ground.parts?.partial) ?? []].flat().map((text) => `* ${text}`),
  ];
  const lines = (name: string, texts: readonly unknown[]): string =>
    texts.map((text) => `<p class="${name}">${safe(String(text))}</p>`).join('\n');
  const sections = currencies.map((currency) => section(answer, currency, drawn)).join('\n');
  return htmlPage({
    title,
    style: STYLE,
    head: [
      `<p>${safe(ground.mode)} mode. Days in ${safe(question.zone.name)}. ${safe(asOfSaid(ground).replace(/^./, (letter) => letter.toUpperCase()))}.</p>`,
      lines('warning', faults),
      lines('note', notes),
    ].join('\n'),
    body: sections || '<p>Nothing in this period.</p>',
    footer: `<p><b>Definition.</b> ${safe(report.definition)}</p><p><b>Basis.</b> ${safe(report.basis)}</p>`,
  });
}

function section(page: ReportAnswer, currency: string, drawn: string | undefined): string {
  const rows = rowsForPeople(page.figures.rows).filter((row) => String(row.currency ?? '') === currency);
  const name = currency === '' ? 'Without a currency' : currency;
  const chart =
    'cohorts' in page.report ? heatMap(page, rows) : drawn === undefined ? '' : charts(page, currency, drawn);
  return `<section>\n<h2>${safe(name)}</h2>\n${chart}\n${table(page, rows)}\n</section>`;
}

/** Marks a day, month or year that is only partly covered. */
const starOf = ({ ground }: ReportAnswer, row: ReportRow, column: string): string =>
  ground.parts?.isPart(row, column) ? '*' : '';

/** Bars of each series of a currency, with their scale, unit and total. */
function charts(page: ReportAnswer, currency: string, figure: string): string {
  const { figures, question } = page;
  const markOf = (row: ReportRow, column: string): string => starOf(page, row, column);
  const asked = { figure: question.across?.figure ?? figure, across: question.across?.across, markOf };
  const all = seriesOf(figures, asked).filter((series) => series.currency === currency);
  const more = all.length - MOST_CHARTS;
  const rest = more > 0 ? `<p>${more} more are not drawn: choose with --top or --where.</p>` : '';
  return `${all.slice(0, MOST_CHARTS).map(bars).join('\n')}${rest}`;
}

function bars({ title, unit, points, total }: Series): string {
  if (points.length === 0) return '';
  const longest = Math.max(...points.map(({ label }) => Math.min(14, label.length)));
  const wanted = EDGE.left + EDGE.right + points.length * (longest * 7 + 12);
  const width = Math.min(WIDEST, Math.max(NARROWEST, wanted));
  const x = scaleBand<number>()
    .domain(points.map((_, i) => i))
    .range([EDGE.left, width - EDGE.right])
    .padding(0.25);
  const y = scaleOf(points, [HEIGHT - EDGE.bottom, EDGE.top]);
  const ticks = y.ticks(5);
  const lines = ticks.map((tick, i) => {
    const at = px(y(tick));
    const text = `${grouped(String(tick))}${unit !== '' && i === ticks.length - 1 ? ` ${unit}` : ''}`;
    return `<line x1="${EDGE.left}" x2="${width - EDGE.right}" y1="${at}" y2="${at}"/><text x="${EDGE.left - 8}" y="${at}" dy="0.32em" text-anchor="end">${safe(text)}</text>`;
  });
  const every = Math.max(1, Math.ceil(points.length / 12));
  const marks = points.map(({ label, text, value }, i) => {
    const [low, high] = [y(0), y(value)];
    const left = x(i) ?? 0;
    const short = label.length > 14 ? `${label.slice(0, 13)}…` : label;
    const below =
      i % every === 0
        ? `<text x="${px(left + x.bandwidth() / 2)}" y="${HEIGHT - 22}" text-anchor="middle">${safe(short)}</text>`
        : '';
    return (
      `<rect x="${px(left)}" y="${px(Math.min(low, high))}" width="${px(x.bandwidth())}" height="${px(Math.abs(high - low))}">` +
      `<title>${safe(`${label}: ${text}`)}</title></rect>${below}`
    );
  });
  const whole = total === undefined ? '' : `; total ${total}${unit === '' ? '' : ` ${unit}`}`;
  return `<figure><figcaption>${safe(`${title}${whole}`)}</figcaption><div class="scroll"><svg width="${width}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${safe(title)}"><g class="axes">${lines.join('')}</g>${marks.join('')}</svg></div></figure>`;
}

/** Cohorts down, months across; the deeper the colour, the more of them paid again. */
function heatMap(page: ReportAnswer, rows: readonly ReportRow[]): string {
  const others = Object.keys(rows[0] ?? {}).filter(
    (name) => !['cohort', 'currency', 'month', 'size', 'customers', 'retained', 'amount'].includes(name),
  );
  const nameOf = (row: ReportRow): string =>
    [`${row.cohort}${starOf(page, row, 'cohort')}`, ...others.map((name) => row[name] ?? '(none)')].join(', ');
  const names = [...new Set(rows.map(nameOf))];
  const last = Math.max(0, ...rows.map((row) => Number(row.month)));
  const months = Array.from({ length: last + 1 }, (_, i) => i);
  const shade = scaleLinear().domain([0, 100]).range([0, 0.85]).clamp(true);
  const lines = names.map((name) => {
    const own = rows.filter((row) => nameOf(row) === name);
    const cells = months.map((month) => {
      const row = own.find((one) => Number(one.month) === month);
      if (!row) return '<td></td>';
      return `<td style="background:rgba(37,99,235,${shade(Number(row.retained)).toFixed(2)})" title="${safe(`${row.customers} of ${row.size}, ${reportCell(row.amount ?? null, 'money', row)}`)}">${safe(`${row.retained}${starOf(page, row, 'month')}`)}</td>`;
    });
    return `<tr><th scope="row">${safe(name)}</th><td>${safe(String(own[0]?.size ?? ''))}</td>${cells.join('')}</tr>`;
  });
  const heads = months.map((month) => `<th scope="col">${month}</th>`).join('');
  return `<figure><figcaption>retained, percent, by months after the first payment</figcaption><div class="scroll"><table class="heat"><thead><tr><th scope="col">cohort</th><th scope="col">size</th>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table></div></figure>`;
}

function table(page: ReportAnswer, rows: readonly ReportRow[]): string {
  const isHeld = (name: string): boolean => page.figures.rows.some((row) => (row[name] ?? null) !== null);
  const columns = page.figures.statement.columns.filter(({ name }) => name !== 'currency' && isHeld(name));
  const heads = columns
    .map(
      ({ name, title, about, unit }) =>
        `<th scope="col"${unit === 'text' ? ' class="text"' : ''} title="${safe(about)}">${safe(title ?? name).replaceAll('_', '_<wbr>')}</th>`,
    )
    .join('');
  const cellsOf = (row: ReportRow, markOf: (column: string) => string): string[] =>
    columns.map(({ name, unit }) => {
      const value = row[name] ?? null;
      const text = reportText(value, unit, row);
      return `<td${unit === 'text' ? ' class="text"' : ''}>${safe(value === null ? '–' : `${text}${markOf(name)}`)}</td>`;
    });
  const lines = rows.map((row) => `<tr>${cellsOf(row, (name) => starOf(page, row, name)).join('')}</tr>`);
  const currency = rows[0]?.currency ?? null;
  const total = (page.figures.totals ?? []).filter((row) => (row.currency ?? null) === currency);
  const foot = total.map(
    (row) =>
      `<tr>${[`<th scope="row">${safe(totalName(row[columns[0]?.name ?? '']))}</th>`, ...cellsOf(row, () => '').slice(1)].join('')}</tr>`,
  );
  const whole = rows.length > 1 && foot.length > 0 ? `<tfoot>${foot.join('')}</tfoot>` : '';
  return `<div class="scroll"><table${columns.length > MOST_LARGE ? ' class="wide"' : ''}><thead><tr>${heads}</tr></thead>\n<tbody>${lines.join('\n')}</tbody>${whole}</table></div>`;
}

function px(value: number | undefined): string {
  return String(Math.round((value ?? 0) * 10) / 10);
}

const STYLE = `
:root { color-scheme: light dark; --bar: #2563eb; --line: light-dark(#cbd5e1, #334155); --soft: light-dark(#5b6b82, #94a3b8); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
header p, footer { color: var(--soft); max-width: 60rem; } header p.warning { color: light-dark(#b91c1c, #fca5a5); font-weight: 600; }
header p::first-letter { text-transform: uppercase; } figure { margin: 1rem 0; } figcaption { color: var(--soft); } svg { display: block; height: auto; }
svg rect { fill: var(--bar); } svg text { fill: var(--soft); font-size: 12px; } .axes line { stroke: var(--line); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, th.text, td.text { text-align: left; }
@media (max-width: 40rem) { body { margin-top: 1rem; } td.text { white-space: normal; min-width: 6rem; } th, td { padding: .25rem .4rem; } }
@page { size: A4; margin: 12mm; }
@media print {
  :root { color-scheme: light; } body { font-size: 11px; margin: 0; max-width: none; padding: 0; }
  .scroll { overflow: visible; } svg { max-width: 100%; } svg rect { print-color-adjust: exact; }
  table { font-size: 10px; } table.wide { font-size: 7px; } th, td { padding: .15rem .3rem; } .wide th, .wide td { padding: .15rem; } th { hyphens: auto; } th, td.text:not(:first-child) { white-space: normal; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
}
`;

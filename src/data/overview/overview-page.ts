import { scaleBand, scaleLinear } from 'd3-scale';
import { htmlPage, safe } from '../../screen/html-page.js';
import { grouped } from '../report/report-text.js';
import type { DayFigure, Kind, Overview } from './overview-figures.js';

const WIDTH = 960;
const HEIGHT = 260;
const EDGE = { top: 16, right: 16, bottom: 28, left: 72 };

const COLOURS: Readonly<Record<Kind, string>> = {
  sales: 'var(--sales)',
  renewals: 'var(--renewals)',
  refunds: 'var(--refunds)',
  chargebacks: 'var(--chargebacks)',
  failures: 'var(--failures)',
  trials: 'var(--trials)',
  salvage: 'var(--salvage)',
};
const MONEY_IN: readonly Kind[] = ['sales', 'renewals'];
const MONEY_OUT: readonly Kind[] = ['refunds', 'chargebacks'];
const EVENTS: readonly Kind[] = ['failures', 'trials', 'salvage'];

/** The head of the page. */
export interface OverviewHead {
  readonly profile: string;
  readonly mode: string;
  /** When it was made, in the zone in use. */
  readonly made: string;
}

/** A single page without network access or scripts: tables, and charts as drawings. */
export function overviewPage(overview: Overview, facts: OverviewHead): string {
  const currencies = [...new Set(overview.totals.map((figure) => figure.currency))];
  const [from = '', to = ''] = [overview.days[0], overview.days.at(-1)];
  const sections = currencies.map((currency) => section(overview, currency)).join('\n');
  return htmlPage({
    title: `Overview ${from} to ${to}`,
    style: STYLE,
    head: `<p>Profile <b>${safe(facts.profile)}</b>, ${safe(facts.mode)} mode. Times in ${safe(overview.tz)}. Made ${safe(facts.made)}.</p>`,
    body: sections || '<p>Nothing happened in this period.</p>',
    footer: `Each figure comes from a report: sales and renewals from cops report revenue (gross, before refunds), refunds, chargebacks
and failures (each attempt to charge a card that was not approved) from theirs, trials by the day they began with what was paid
at their end, salvage from cops report recovery.`,
  });
}

function section(overview: Overview, currency: string): string {
  const totals = overview.totals.filter((figure) => figure.currency === currency);
  const name = currency === '' ? 'Without a currency' : currency;
  const cards = totals
    .map(
      (figure) =>
        `<li><i style="background:${COLOURS[figure.kind]}"></i><span>${safe(figure.kind)}</span>` +
        `<b>${safe(grouped(figure.amount))}</b><small>${safe(grouped(String(figure.count)))} items</small></li>`,
    )
    .join('\n');
  const byDay = overview.by_day.filter((figure) => figure.currency === currency);
  return `<section>
<h2>${safe(name)}</h2>
<ul class="cards">
${cards}
</ul>
${chartOf('Amounts by day', moneyChart(overview.days, byDay), [...MONEY_IN, ...MONEY_OUT], totals)}
${chartOf('Counts by day', countChart(overview.days, byDay), EVENTS, totals)}
${dayTable(overview.days, byDay)}
</section>`;
}

function chartOf(title: string, svg: string, kinds: readonly Kind[], totals: readonly { kind: Kind }[]): string {
  const shown = kinds.filter((kind) => totals.some((figure) => figure.kind === kind));
  if (shown.length === 0) return '';
  const legend = shown.map((kind) => `<span><i style="background:${COLOURS[kind]}"></i>${safe(kind)}</span>`).join(' ');
  return `<figure><figcaption>${safe(title)} <span class="legend">${legend}</span></figcaption>
<div class="scroll">${svg}</div></figure>`;
}

type Values = ReadonlyMap<string, DayFigure>;

function byKindAndDay(figures: readonly DayFigure[]): Values {
  return new Map(figures.map((figure) => [`${figure.kind} ${figure.day}`, figure]));
}

type FigureOf = (kind: Kind, day: string) => number;

function moneyChart(days: readonly string[], figures: readonly DayFigure[]): string {
  const values = byKindAndDay(figures);
  const amount: FigureOf = (kind, day) => Number(values.get(`${kind} ${day}`)?.amount ?? 0);
  const tip: TipText = (kind, day) => {
    const figure = values.get(`${kind} ${day}`);
    return `${day}: ${kind} ${grouped(figure?.amount ?? '0')} (${figure?.count ?? 0})`;
  };
  return bars('Amounts by day', days, [MONEY_IN, MONEY_OUT], amount, tip);
}

function countChart(days: readonly string[], figures: readonly DayFigure[]): string {
  const values = byKindAndDay(figures);
  const count: FigureOf = (kind, day) => values.get(`${kind} ${day}`)?.count ?? 0;
  return bars('Counts by day', days, [EVENTS, []], count, (kind, day) => `${day}: ${kind} ${count(kind, day)}`);
}

type TipText = (kind: Kind, day: string) => string;

/** Stacked bars: some kinds above the axis, others below it. */
function bars(
  name: string,
  days: readonly string[],
  [above, below]: readonly [readonly Kind[], readonly Kind[]],
  figureOf: FigureOf,
  tip: TipText,
): string {
  const sum = (kinds: readonly Kind[], day: string): number =>
    kinds.reduce((all, kind) => all + Math.max(0, figureOf(kind, day)), 0);
  const most = Math.max(1, ...days.map((day) => sum(above, day)));
  const least = Math.max(0, ...days.map((day) => sum(below, day)));
  const x = bands(days);
  const y = scaleLinear()
    .domain([-least, most])
    .nice()
    .range([HEIGHT - EDGE.bottom, EDGE.top]);
  const drawn: string[] = [];
  for (const day of days) {
    for (const [kinds, sign] of [
      [above, 1],
      [below, -1],
    ] as const) {
      let at = 0;
      for (const kind of kinds) {
        const value = Math.max(0, figureOf(kind, day));
        if (value === 0) continue;
        const [low, high] = [y(sign * at), y(sign * (at + value))];
        drawn.push(
          `<rect x="${px(x(day))}" y="${px(Math.min(low, high))}" width="${px(x.bandwidth())}" ` +
            `height="${px(Math.abs(high - low))}" fill="${COLOURS[kind]}"><title>${safe(tip(kind, day))}</title></rect>`,
        );
        at += value;
      }
    }
  }
  return drawing(name, `${axes(days, x, y)}${drawn.join('')}`);
}

function bands(days: readonly string[]) {
  return scaleBand<string>()
    .domain(days)
    .range([EDGE.left, WIDTH - EDGE.right])
    .padding(0.2);
}

interface Linear {
  (value: number): number;
  ticks(count: number): number[];
}

function axes(days: readonly string[], x: ReturnType<typeof bands>, y: Linear): string {
  const whole = y.ticks(5).every((tick) => Math.abs(tick) <= 5);
  const lines = y
    .ticks(5)
    .filter((tick) => !whole || Number.isInteger(tick))
    .map((tick) => {
      const at = px(y(tick));
      const strong = tick === 0 ? ' class="zero"' : '';
      return `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${at}" y2="${at}"${strong}/><text x="${EDGE.left - 8}" y="${at}" dy="0.32em" text-anchor="end">${safe(short(tick))}</text>`;
    });
  const every = Math.max(1, Math.ceil(days.length / 10));
  const labels = days
    .filter((_, index) => index % every === 0)
    .map(
      (day) =>
        `<text x="${px((x(day) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${safe(day.slice(5))}</text>`,
    );
  return `<g class="axes">${lines.join('')}${labels.join('')}</g>`;
}

function drawing(name: string, inside: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${safe(name)}">${inside}</svg>`;
}

function dayTable(days: readonly string[], figures: readonly DayFigure[]): string {
  const kinds = [...new Set(figures.map((figure) => figure.kind))];
  const values = byKindAndDay(figures);
  const rows = days
    .filter((day) => kinds.some((kind) => values.has(`${kind} ${day}`)))
    .map((day) => {
      const cells = kinds.map((kind) => {
        const figure = values.get(`${kind} ${day}`);
        return `<td>${figure ? `${safe(grouped(figure.amount))} <small>${figure.count}</small>` : ''}</td>`;
      });
      return `<tr><th scope="row">${safe(day)}</th>${cells.join('')}</tr>`;
    });
  const heads = kinds.map((kind) => `<th scope="col">${safe(kind)}</th>`).join('');
  return `<details><summary>All days</summary><div class="scroll"><table><thead><tr><th scope="col">day</th>${heads}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
}

function px(value: number | undefined): string {
  return String(Math.round((value ?? 0) * 100) / 100);
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${value / 1e6}M`;
  return size >= 1e4 ? `${value / 1e3}k` : String(value);
}

const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2430;--faint:#667085;--rule:#e4e7ec;--sales:#2563eb;--renewals:#0d9488;
--refunds:#d97706;--chargebacks:#b91c1c;--failures:#dc2626;--trials:#0284c7;--salvage:#a16207}
@media(prefers-color-scheme:dark){:root{--bg:#12161c;--fg:#e6e9ef;--faint:#98a2b3;--rule:#2a313b;--sales:#60a5fa;
--renewals:#2dd4bf;--refunds:#fbbf24;--chargebacks:#f87171;--failures:#f87171;--trials:#38bdf8;
--salvage:#facc15}}
body{margin:2rem auto;max-width:62rem;padding:0 1rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0}h2{margin:2.5rem 0 .5rem;font-size:1.2rem}header p,footer,small{color:var(--faint)}
footer{margin-top:3rem;font-size:.85rem;border-top:1px solid var(--rule);padding-top:1rem}
.cards{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:.75rem}
.cards li{border:1px solid var(--rule);border-radius:8px;padding:.6rem .8rem}
.cards b{display:block;font-size:1.15rem;font-variant-numeric:tabular-nums}
i{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.4em}
figure{margin:1.5rem 0}figcaption{font-weight:600;margin-bottom:.4rem}.legend{font-weight:400;font-size:.85rem;margin-left:1rem}
.legend span{margin-right:.9rem;white-space:nowrap}svg{width:100%;min-width:60rem;height:auto;display:block}
.axes line{stroke:var(--rule)}.axes .zero{stroke:var(--faint)}.axes text{fill:var(--faint);font-size:12px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}th:first-child{text-align:left}
`.replace(/\n/g, '');

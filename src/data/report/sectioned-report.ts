import type { Database } from '../../base/database/types.js';
import type { CopsError } from '../../base/errors/errors.js';
import type { Figures } from './figures.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { TextStyle } from './report-text.js';
import type { ConditionedView, Report, ReportTexts } from './types.js';

/** One query of a report with several tables, and the section that it fills. */
export interface SectionQuery {
  readonly fills: string;
  readonly sql: string;
}

/** A report whose rows come from several queries. */
interface MadeReport extends ReportTexts {
  readonly views: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly figures: (database: Database, question: ReportQuestion) => Figures;
  /** In the order of the sections. */
  readonly queries: (question: ReportQuestion) => readonly SectionQuery[];
  /** Further notes about the figures. */
  readonly notes: (database: Database, question: ReportQuestion, figures: Figures) => string[];
}

/** A forecast: one table, with words of its own. */
export interface AheadReport extends MadeReport {
  readonly kind: 'ahead';
  readonly range: 'next';
  /** Words for `--by` besides those of time. */
  readonly groups: Readonly<Record<string, string>>;
  /** What `--where` is about. */
  readonly conditions: ConditionedView;
  /** The measure to draw. */
  readonly drawn: string;
}

/** A report with several tables, as rows of one. */
export interface SectionedReport extends MadeReport {
  readonly kind: 'sections';
  readonly range: 'month';
  /** Ids of the items that count in its period: their rows are read from the service until two passes agree. */
  readonly counted: (database: Database, question: ReportQuestion) => string[];
  /** The figures as people read them. */
  readonly text: (figures: Figures, look: TextStyle) => Promise<string>;
  /** The error that the figures themselves cause, if any. */
  readonly fault: (figures: Figures) => CopsError | undefined;
}

export type AnyReport = Report | SectionedReport | AheadReport;

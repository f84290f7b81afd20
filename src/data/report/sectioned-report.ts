import type { Database } from '../../base/database/types.js';
import type { CopsError } from '../../base/errors/errors.js';
import type { Figures } from './figures.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { TextStyle } from './report-text.js';
import type { Report, ReportTexts } from './types.js';

/** One query of a report of several tables, and the section that it fills. */
export interface SectionQuery {
  readonly fills: string;
  readonly sql: string;
}

/** A report of several tables, each with queries of its own, as rows of one. */
export interface SectionedReport extends ReportTexts {
  readonly kind: 'sections';
  readonly views: readonly string[];
  readonly range: 'month';
  readonly columns: readonly ReportColumn[];
  readonly figures: (database: Database, question: ReportQuestion) => Figures;
  /** In the order of the sections. */
  readonly queries: (question: ReportQuestion) => readonly SectionQuery[];
  /** Ids of what its period counts: its rows are read from the service until two passes agree. */
  readonly counted: (database: Database, question: ReportQuestion) => string[];
  /** The figures as people read them. */
  readonly text: (figures: Figures, look: TextStyle) => Promise<string>;
  /** What else must be known of the figures. */
  readonly notes: (database: Database, question: ReportQuestion, figures: Figures) => string[];
  /** What the figures themselves find wrong. */
  readonly fault: (figures: Figures) => CopsError | undefined;
}

export type Chosen = Report | SectionedReport;

import type { ServiceRequest, Transport } from '../../base/transport.js';
import type { World } from '../../base/world.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { Schema } from '../../items/schema/types.js';
import type { Excel } from '../../screen/spreadsheets.js';
import type { Notes } from '../../screen/types.js';
import type { Pacer } from '../../service/http/pacer.js';
import type { RetryPolicy } from '../../service/http/retry.js';
import type { RangeEnds } from '../../service/lists/windows.js';
import type { WholeRangeOptions } from '../../session/read/range-of.js';
import type { ColumnCheck } from './chosen-columns.js';
import type { ExportFormat } from './formats.js';
import type { LateField } from './late-fields.js';
import type { Learnt } from './learnt.js';

/** A moment as requested: `unix` in seconds, `text` the words on the command line (`90d`, `2026-01-31`). */
export interface Moment {
  readonly unix: number;
  readonly text: string;
}

/** One export, options already parsed (command-line.md#exports). */
export interface ExportInput {
  readonly family: Family;
  /** A list operation of that family. */
  readonly operation: Operation;
  /** Values of the path's placeholders, for a list below one item. */
  readonly params: Readonly<Record<string, string>>;
  /** Range of a date-ranged list; absent for the others. */
  readonly from?: Moment;
  readonly to?: Moment;
  /** Which ends of a range the service includes; both by default. */
  readonly rangeEnds?: RangeEnds;
  /** Absolute path of a file, a folder (ending in `/`), or `-`. */
  readonly out: string;
  /** Distinguishes several exports into one file (tables of a SQLite file); part of the names next to it. */
  readonly label?: string;
  readonly format: ExportFormat;
  /** Query parameters besides dates and paging, in order. */
  readonly filters: readonly (readonly [name: string, value: string])[];
  /** Dotted paths, for csv, tsv and xlsx. */
  readonly columns?: readonly string[];
  readonly concurrency: number;
  readonly gzip: boolean;
  readonly csvSafe: boolean;
  /** How csv, tsv and xlsx show moments: ISO 8601 in `tz` by default, or the numbers unchanged. */
  readonly times?: 'iso' | 'unix';
  /** Time zone, UTC by default. */
  readonly tz?: string;
  /** For csv and tsv: what a locale's spreadsheet programs open without asking. */
  readonly excel?: Excel;
  /** The columns of another export, used unchanged. */
  readonly schema?: Schema;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly restart: boolean;
  readonly sinceLast: boolean;
  /** Seconds before the last end that are read again. */
  readonly refresh?: number;
  /** Items per page, 1 to 25. */
  readonly pageSize: number;
}

/** The effects of a run. */
export interface ExportDeps extends Omit<RetryPolicy, 'pacer' | 'onRetry' | 'context'> {
  readonly transport: Transport;
  readonly pacer: Pacer;
  readonly notes: Notes;
  /** Standard output, for `--out -`. */
  readonly stdout?: NodeJS.WritableStream;
  readonly profile: ProfileFacts;
  /** The fields that the profile has learnt, and the place to store more of them. */
  readonly learnt?: Learnt;
  /** Checks chosen columns against the first items. */
  readonly checkColumns?: ColumnCheck | undefined;
  /** Called with the `live_mode` of an item before anything of its page is written; may throw to stop the run. */
  observe?(live: boolean): Promise<unknown>;
  /** Sets flags of the JavaScript engine; absent to set none. */
  readonly tuneEngine?: World['tuneEngine'];
  /** The moment at which an open end is frozen, milliseconds; `now()` if absent. The sandbox has its own time. */
  readonly frozen?: number;
  /** Changes a request last before it is sent (the service's own word for `wallet`). */
  prepare?: ((request: ServiceRequest) => ServiceRequest) | undefined;
  /** The same for the body of an answer. */
  incoming?: ((body: Buffer) => Buffer) | undefined;
}

export interface ProfileFacts {
  readonly name: string;
  readonly baseUrl: string;
  readonly mode: 'test' | 'live';
  /** Identifies the key without showing it. */
  readonly fingerprint: string;
}

/** Seconds since the epoch, both ends as sent to the service; null for a list without dates. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The record of a finished window; kept in the journal and the manifest. */
export interface WindowRecord extends Segment {
  /** Position in the plan: `12`, or `12.3` for a part of a split window. */
  readonly window: string;
  readonly from: number | null;
  readonly to: number | null;
  /** The service's count, or null if it gave none. */
  readonly total_count: number | null;
  /** Unique items read. */
  readonly unique: number;
  /** Items written: unique ones that no earlier window had. */
  readonly items: number;
  /** The number of readings. */
  readonly readings: number;
  /** Why its completeness could not be proven; absent if it was. */
  readonly unproven?: string;
  /** The second shared with the previous window, if it shows that the service excludes an end of a range; unix seconds. */
  readonly end_left_out?: number;
  /** The service's clock at the window's first page, unix seconds. */
  readonly service_unix: number | null;
  /** When it was read, unix seconds. Absent in records of older versions. */
  readonly read_from?: number;
  readonly read_to?: number;
  /** The window's own file, relative to the folder. */
  readonly file?: string;
  /** Ids left to the preceding neighbour (sharded runs). */
  readonly left_out?: readonly string[];
  /** Ids that the following neighbour leaves to this window (sharded runs). */
  readonly kept?: readonly string[];
  /** Fields of this window that are in `_other`. */
  readonly late?: readonly LateField[];
  /** The columns from this window on, if it extended them. */
  readonly schema?: Schema;
}

/** A range of bytes in a file, and their digest; other bytes may come before it. */
export interface Segment {
  readonly bytes: number;
  readonly sha256: string;
}

/** The settings that decide an export's bytes, in its manifest and in the plan of a running export. */
export interface ExportFacts {
  readonly family: string;
  readonly action: string;
  readonly path: string;
  readonly base_url: string;
  readonly mode: string;
  readonly key: string;
  readonly format: ExportFormat;
  readonly gzip: boolean;
  readonly csv_safe: boolean;
  readonly columns: readonly string[] | null;
  /** `unix`, or the zone of the ISO times; null if the format shows none. Absent in manifests of older versions. */
  readonly times?: string | null;
  readonly excel?: Excel | null;
  readonly filters: readonly (readonly [string, string])[];
  readonly page_size: number;
}

/** `<out>.manifest.json`. */
export interface Manifest extends ExportFacts {
  readonly manifest: 1;
  readonly tool: string;
  /** The field that identifies an item. */
  readonly id_field: string;
  readonly profile: string;
  /** The columns with their types; null for jsonl, which has none. Absent in manifests of older versions. */
  readonly schema?: Schema | null;
  /** Fields in `_other`, because they appeared after the columns were settled or do not fit theirs. */
  readonly late?: readonly LateField[];
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** `to` was frozen when the run began; `asked_to` is the requested end. */
  readonly range: (Range & { readonly asked_to: number; readonly from_text: string; readonly to_text: string }) | null;
  readonly started: string;
  readonly ended: string;
  readonly complete: boolean;
  readonly unproven: readonly string[];
  /** Items in the target. */
  readonly items: number;
  /** Of all runs that this export continued from; for a killed run up to the last window it finished. */
  readonly requests: number;
  readonly refused_429: number;
  readonly windows: readonly WindowRecord[];
  /** Windows of the whole plan before any split, for all machines together. */
  readonly planned: number;
  /** Bytes of the file outside any window (headers, footers), in order. */
  readonly layout: 'lines' | 'folder' | 'parquet' | 'xlsx' | 'sqlite';
  readonly header: Segment | null;
  readonly file: { readonly bytes: number; readonly sha256: string | null } | null;
  /** Where `--since-last` begins, and the ids from there on that the target already holds. */
  readonly edge: { readonly from: number; readonly ids: readonly string[] } | null;
  readonly notes: readonly string[];
}

export interface ExportReport {
  readonly manifest: Manifest;
  /** 0, or 10 if something was not proven complete. */
  readonly exitCode: number;
  /** True if there was nothing to do. */
  readonly already: boolean;
  /** Items that the target gained; negative if a period that was read again has lost some. */
  readonly added: number;
  /** Where a run that continues from a manifest started to read, unix seconds: anything older is as it was. */
  readonly since?: number | undefined;
  /** Requests since this export began, including those before a stop. */
  readonly requests: number;
}

/** Options of an export, as typed. */
export interface ExportOptions extends WholeRangeOptions {
  /** False with `--no-range`. */
  readonly range?: boolean | undefined;
  readonly out?: string | undefined;
  readonly format?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly gzip?: boolean | undefined;
  readonly shard?: string | undefined;
  readonly restart?: boolean | undefined;
  readonly sinceLast?: boolean | undefined;
  readonly refresh?: string | undefined;
  readonly pageSize?: string | undefined;
  /** Manifests of exports whose columns are used. */
  readonly schema?: readonly string[] | undefined;
}

/** Options of `cops sync`, as typed. */
export interface SyncOptions
  extends Pick<ExportOptions, 'from' | 'format' | 'concurrency' | 'refresh' | 'restart' | 'gzip'> {
  /** Reads all windows of a mirror again. */
  readonly full?: boolean;
  /** API calls, logs, threads and messages as well. */
  readonly all?: boolean;
  readonly firstDay?: string;
}

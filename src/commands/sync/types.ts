/** What became of one list. */
export interface Row {
  readonly family: string;
  readonly state: 'synced' | 'unproven' | 'not allowed' | 'not there' | 'failed' | 'not read';
  readonly added: number;
  /** Null where it is not looked at: a folder keeps what was read, a mirror follows it. */
  readonly changed: number | null;
  readonly gone: number | null;
  readonly items: number;
  readonly requests: number;
  /** Every row was read since this moment, ISO 8601; null for a folder. */
  readonly seen_since: string | null;
  readonly why: string | null;
}

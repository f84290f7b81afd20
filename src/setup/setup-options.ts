/** Options of all `cops setup` commands, as they were typed. */
export interface SetupOptions {
  readonly from?: string;
  readonly to?: string;
  readonly fromEnv?: string;
  readonly toEnv?: string;
  readonly prune?: boolean;
  readonly out?: string;
  readonly markdown?: boolean;
  readonly allowDelete?: string | boolean;
  readonly overwriteDrift?: boolean;
  readonly shared?: boolean;
  readonly expectPlan?: string;
  readonly journal?: string;
  readonly reason?: string;
  readonly again?: boolean;
  readonly concurrency?: string;
  readonly firstDay?: string;
  readonly dot?: boolean;
  readonly folder?: string;
}

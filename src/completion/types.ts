/** A command beside the families as completion needs it, taken from its definition. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  /** Flags as the parser has them, and what they mean. */
  readonly options: readonly (readonly [flags: string, about: string])[];
  readonly commands: readonly CommandSpec[];
}

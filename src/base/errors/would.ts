/**
 * Ends a dry run in the place of its first effect. It is no fault: whoever runs commands shows it as their answer, with
 * exit code 0. Thrown where the effect would be, so that nothing that would follow it can act either.
 */
export class Would extends Error {
  override readonly name = 'Would';

  /** @param what one line that follows "would": `set profiles.acme.mode to "live"` */
  constructor(readonly what: string) {
    super(`would ${what}`);
  }
}

import { CopsError } from '../errors/errors.js';

/** JSON text that is not valid, or was cut. Reaches the user as a failure of the service unless a caller says otherwise. */
export class JsonFault extends CopsError {
  constructor(
    /** What is wrong, without a position. */
    readonly reason: string,
    /** Where, in bytes from the beginning. */
    readonly offset: number,
  ) {
    super('service_failed', `The answer is not valid JSON: ${reason} at byte ${offset}.`, {
      hint: 'Try again; when it stays so, something between here and the service changes its answers (a proxy, a wrong base URL).',
    });
  }
}

import { config } from 'zod';

/** Makes schemas interpreted from now on: compiling them costs more than it saves when each is used once. */
export function interpretSchemas(): void {
  config({ jitless: true });
}

import { config } from 'zod';

/** Has schemas interpreted from now on: code of their own takes longer to make than it saves where each is used once. */
export function interpretSchemas(): void {
  config({ jitless: true });
}

import type { Done } from '../../command/context.js';
import { agentPage } from './page.js';

/** `cops agent`: the page. */
export async function run(): Promise<Done> {
  return { result: { shape: 'text', text: agentPage() } };
}

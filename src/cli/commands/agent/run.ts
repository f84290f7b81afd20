import type { Done } from '../../../session/context/context.js';
import { agentPage } from './page.js';

/** `cops agent`: the page. */
export async function run(): Promise<Done> {
  return { result: { shape: 'text', text: agentPage() } };
}

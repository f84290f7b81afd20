import type { ServiceRequest } from '../../base/transport.js';
import type { PageFetch } from '../../service/request/pager.js';

/** What asks the service: the reader of a run. */
export interface Asker extends PageFetch {
  /** The whole answer of a read. */
  answer(request: ServiceRequest): Promise<string>;
}

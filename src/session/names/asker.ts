import type { ServiceRequest } from '../../base/transport.js';
import type { PageReader } from '../../service/request/pager.js';

/** What asks the service: the reader of a run. */
export interface Asker extends PageReader {
  /** The whole answer of a read. */
  answer(request: ServiceRequest): Promise<string>;
}

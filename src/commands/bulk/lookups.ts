import type { LookUps } from '../../bulk/reconcile.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { CopsError } from '../../errors/errors.js';
import { newReport, readList } from '../../paging/list.js';
import { pager } from '../../request/pager.js';
import { pathParameters, planRequest } from '../../request/plan.js';
import { DAY } from '../../time/units.js';
import type { Reader } from '../operation/reading.js';

const PAGE_SIZE = 25;

/** How `reconcile` asks the service: the item's own read, and the records of calls. */
export async function lookUpsOf(reader: Reader, family: Family): Promise<LookUps> {
  const calls = await loadFamily('api_calls');
  const list = findOperation(calls, 'list');
  const getCall = findOperation(calls, 'get');
  const getItem = findOperation(family, 'get');
  const needed = getItem ? pathParameters(getItem).length : 0;
  return {
    ...(getItem
      ? {
          async item(ids) {
            try {
              return { text: await reader.answer(planRequest(family, getItem, { ids: ids.slice(0, needed) })) };
            } catch (error) {
              if (error instanceof CopsError && error.kind === 'not_found') return 'missing';
              throw error;
            }
          },
        }
      : {}),
    async *calls(from, to) {
      if (!list) return;
      const span = (list.list?.spanDays ?? 2) * DAY;
      const fetch = pager(reader, planRequest(calls, list, { ids: [] }), calls.idField);
      for (let start = from; start <= to; start += span) {
        const windows = [{ from: start, to: Math.min(to, start + span) }];
        const report = newReport();
        for await (const page of readList({ windows, paged: true, pageSize: PAGE_SIZE, ahead: 1 }, fetch, report)) {
          for (const item of page.items) yield item.raw;
        }
        if (report.unproven.length > 0) {
          throw new CopsError('incomplete', `the list of calls could not be read whole: ${report.unproven[0]}`);
        }
      }
    },
    async call(id) {
      if (!getCall) throw new CopsError('internal', 'there is no operation that reads a call');
      return reader.answer(planRequest(calls, getCall, { ids: [id] }));
    },
  };
}

import { cops, say } from '../../../base/text/command-line.js';
import { isoTime } from '../../../base/time/units.js';
import type { Verified } from '../../../data/export/offline.js';
import type { Manifest } from '../../../data/export/types.js';

/** What a look at the files holds against the manifest. */
const CHECKED: Readonly<Record<Manifest['layout'], string>> = {
  lines: 'its size, the SHA-256 checksum of each window',
  folder: 'size and SHA-256 checksum of each part, no part too many',
  parquet: 'size, SHA-256 checksum, number of rows',
  xlsx: 'size, SHA-256 checksum',
  sqlite: 'the file is sound, its number of rows (not what they hold)',
};

/** What a verified export is, what proves it, and what that does not prove: for people who keep it as evidence. */
export function verifiedFacts({ out, manifest, faults }: Verified) {
  const { items, windows, unproven, range, complete, shard, filters, ended } = manifest;
  const counted = windows.filter(({ total_count }) => total_count !== null).length;
  const isUnique = manifest.layout === 'lines' && manifest.format === 'jsonl' && !manifest.gzip;
  const agreed = `${counted} of ${windows.length} windows: unique items as many as the service counted`;
  const uncounted = windows.length - counted;
  return {
    out,
    state: faults.length > 0 ? 'changed' : complete ? 'verified' : 'unproven',
    items,
    windows: windows.length,
    faults,
    unproven,
    family: manifest.family,
    format: manifest.format,
    mode: manifest.mode,
    profile: manifest.profile,
    service: manifest.base_url,
    // Both ends are inside.
    from: range && isoTime(range.from),
    to: range && isoTime(range.to),
    asked_for: range === null ? 'the whole list, which has no dates' : `${range.from_text} to ${range.to_text}`,
    filters: filters.length === 0 ? 'none' : filters.map(([name, value]) => `${name}=${value}`).join(', '),
    shard: shard === null ? null : `${shard.index}/${shard.count}`,
    made: ended,
    proven_when_made: `${agreed}${uncounted > 0 ? `; ${uncounted} without a count of the service` : ''}`,
    checked_now: `${CHECKED[manifest.layout]}${isUnique ? ', the unique items of each' : ''}${range === null || shard ? '' : '; no hole between the windows'}`,
    not_proven: [
      `what was made, changed or deleted in the service after ${ended}: nothing was asked of it now`,
      ...(shard ? [say`the other shards: ${cops`export merge`} takes them all`] : []),
      ...(filters.length > 0 ? ['what the filters left out'] : []),
      'that the manifest is the one that was written: whoever can change the file can change it too',
    ],
  };
}

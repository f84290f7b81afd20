import {
  type FamilyActionSpec,
  optionRows,
  REASON_OPTION,
  REPEAT_OPTIONS,
  STRICT_IDS_OPTION,
} from '../../../session/context/spec.js';

export const spec = {
  name: 'postpone',
  dryRun: 'shows',
  families: ['subscriptions'],
  writes: ['edit'],
  about: 'Move the next renewal later: a pause with an end',
  arguments: [{ name: '<id>', about: "the subscription's id, or its customer" }],
  options: [
    ...optionRows({
      '--by <span>': 'how much later: 10d, 2w, 1mo, 1y',
      '--until <when>': 'or the new date: 2026-12-21, 2w (from today); never earlier than the current one',
      '--product <value>': 'which one, if the customer has several',
    }),
    ...REPEAT_OPTIONS,
    REASON_OPTION,
    STRICT_IDS_OPTION,
  ],
  examples: [
    'subscriptions postpone xhbVfLBuuTjHMRBGlHRc --by 1mo',
    'subscriptions postpone xhbVfLBuuTjHMRBGlHRc --by 2w --dry-run',
    'subscriptions postpone katarzyna.rossi.23@example.com --by 10d',
  ],
} as const satisfies FamilyActionSpec;

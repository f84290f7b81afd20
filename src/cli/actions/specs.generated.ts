// Made by scripts/generate-commands.mjs from the folders of commands and actions. Do not edit by hand.
import type { FamilyActionSpec } from '../../session/context/spec.js';
import { spec as checkSpec } from './check/spec.js';
import { spec as copySpec } from './copy/spec.js';
import { spec as deploySpec } from './deploy/spec.js';
import { spec as devSpec } from './dev/spec.js';
import { spec as noteSpec } from './note/spec.js';
import { spec as postponeSpec } from './postpone/spec.js';
import { spec as showSpec } from './show/spec.js';
import { spec as tailSpec } from './tail/spec.js';

/** Every further action of families, in the order of their names. */
export const ACTION_SPECS: readonly FamilyActionSpec[] = [
  checkSpec,
  copySpec,
  deploySpec,
  devSpec,
  noteSpec,
  postponeSpec,
  showSpec,
  tailSpec,
];

// Made by scripts/generate-commands.mjs from the folders of commands and actions. Do not edit by hand.
import type { CommandSpec } from '../../session/context/spec.js';
import { spec as agentSpec } from './agent/spec.js';
import { spec as aliasSpec } from './alias/spec.js';
import { spec as apiSpec } from './api/spec.js';
import { spec as bulkSpec } from './bulk/spec.js';
import { spec as changesSpec } from './changes/spec.js';
import { spec as commandsSpec } from './commands/spec.js';
import { spec as completionSpec } from './completion/spec.js';
import { spec as configSpec } from './config/spec.js';
import { spec as doctorSpec } from './doctor/spec.js';
import { spec as eventsSpec } from './events/spec.js';
import { spec as explainSpec } from './explain/spec.js';
import { spec as exportSpec } from './export/spec.js';
import { spec as findSpec } from './find/spec.js';
import { spec as helpSpec } from './help/spec.js';
import { spec as historySpec } from './history/spec.js';
import { spec as loginSpec } from './login/spec.js';
import { spec as logoutSpec } from './logout/spec.js';
import { spec as mcpSpec } from './mcp/spec.js';
import { spec as modeSpec } from './mode/spec.js';
import { spec as openSpec } from './open/spec.js';
import { spec as openapiSpec } from './openapi/spec.js';
import { spec as overviewSpec } from './overview/spec.js';
import { spec as pickSpec } from './pick/spec.js';
import { spec as policySpec } from './policy/spec.js';
import { spec as profilesSpec } from './profiles/spec.js';
import { spec as reconcileSpec } from './reconcile/spec.js';
import { spec as referenceSpec } from './reference/spec.js';
import { spec as reportSpec } from './report/spec.js';
import { spec as resetSpec } from './reset/spec.js';
import { spec as sandboxSpec } from './sandbox/spec.js';
import { spec as setupSpec } from './setup/spec.js';
import { spec as sqlSpec } from './sql/spec.js';
import { spec as syncSpec } from './sync/spec.js';
import { spec as teamSpec } from './team/spec.js';
import { spec as testSpec } from './test/spec.js';
import { spec as timelineSpec } from './timeline/spec.js';
import { spec as updateSpec } from './update/spec.js';
import { spec as whoamiSpec } from './whoami/spec.js';
import { spec as whySpec } from './why/spec.js';

/** Every command, in the order of their names. */
export const SPECS: readonly CommandSpec[] = [
  agentSpec,
  aliasSpec,
  apiSpec,
  bulkSpec,
  changesSpec,
  commandsSpec,
  completionSpec,
  configSpec,
  doctorSpec,
  eventsSpec,
  explainSpec,
  exportSpec,
  findSpec,
  helpSpec,
  historySpec,
  loginSpec,
  logoutSpec,
  mcpSpec,
  modeSpec,
  openSpec,
  openapiSpec,
  overviewSpec,
  pickSpec,
  policySpec,
  profilesSpec,
  reconcileSpec,
  referenceSpec,
  reportSpec,
  resetSpec,
  sandboxSpec,
  setupSpec,
  sqlSpec,
  syncSpec,
  teamSpec,
  testSpec,
  timelineSpec,
  updateSpec,
  whoamiSpec,
  whySpec,
];

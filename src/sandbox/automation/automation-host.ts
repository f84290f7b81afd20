import type { KeptThread } from '../../base/world.js';
import { typedFields } from '../../catalogue/body-fields.js';
import type { ApiAccount } from '../rules/accounts.js';
import { type Call, ruleName, type Scene } from '../rules/call.js';
import { RULES } from '../rules/index.js';
import { checkReferences } from '../rules/item-references.js';
import { invalid } from '../rules/refusals.js';
import { findRoute } from '../serve/routes.js';
import { raising } from './emit-events.js';
import { FunctionEngine } from './function-engine.js';
import type { Deed, Host } from './host.js';

/** Who an assistant acts as: the service itself. */
const SERVICE: Omit<ApiAccount, 'live'> = { id: 'service', name: 'Service', key: '', enabled: true };

/** What automations run with: functions in a thread that starts with the first of them, deeds by the service's rules. */
export function openHost(kept?: KeptThread): Host {
  return { engine: new FunctionEngine(kept), prepare: prepareDeed };
}

/**
 * Makes an operation ready that an assistant does: the body is checked and the rule run as for any request.
 * @throws Refusal for what is no operation, and from the work for what the rules refuse
 */
async function prepareDeed(deed: Deed): Promise<(scene: Scene) => void> {
  const route = await findRoute('POST', deed.path);
  const { refuseBadBody } = await import('../rules/refuse-body.js');
  return (scene) => {
    const call: Call = {
      ...scene,
      ...route,
      callId: scene.newId(),
      account: { ...SERVICE, live: scene.live },
      query: [],
      body: deed.body,
    };
    const rule = RULES[ruleName(route.operation)];
    if (!rule) throw invalid(`An assistant cannot do ${deed.path}.`);
    refuseBadBody(call.body, route.operation);
    checkReferences(call, call.body, typedFields(route.operation));
    raising(call, () => rule(call));
  };
}

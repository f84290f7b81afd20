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

/** The account of assistants: the service itself. */
const SERVICE: Omit<ApiAccount, 'live'> = { id: 'service', name: 'Service', key: '', enabled: true };

/**
 * The host of automations: functions run in a thread that starts with the first one, and actions follow the service's
 * rules.
 */
export function openHost(kept?: KeptThread): Host {
  return { engine: new FunctionEngine(kept), prepare: prepareDeed };
}

/**
 * Prepares an operation that an assistant calls: checks the body and returns work that runs the rule, as for any
 * request.
 * @throws Refusal for an unknown operation, and from the work for anything the rules refuse
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

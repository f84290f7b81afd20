import type { Stored } from '../store/item-store.js';
import { idsUnder, isItem, listUnder, objectUnder, type Value } from '../store/item-values.js';
import type { Scene } from './call.js';
import { linked } from './payment-ledger.js';
import { invalid } from './refusals.js';

/** The gateway that processes a payment. */
export interface Gateway {
  readonly id: string;
  readonly name: string;
}

/**
 * The gateway that a payment profile's flow chooses: the first enabled one among its nodes, in the order of the flow.
 * If the flow names none, the account's first enabled gateway; undefined when none is enabled. reading: payment-flow
 */
export function routeBy(scene: Scene, profileId: string | undefined): Gateway | undefined {
  const profile = profileId ? scene.store.get('payment_profiles', profileId, scene.live)?.value : undefined;
  const named = profile ? inOrder(listUnder(profile, 'payment_flow')).flatMap((node) => idsIn(scene, node)) : [];
  if (named.length === 0) return firstGateway(scene);
  return named.map((id) => gatewayOf(scene, id)).find((gateway) => gateway !== undefined);
}

/** An enabled gateway, by id. */
export function gatewayOf(scene: Scene, id: string): Gateway | undefined {
  const item = scene.store.get('user_gateways', id, scene.live);
  return item && item.value.enabled !== false ? { id, name: String(item.value.name) } : undefined;
}

function firstGateway(scene: Scene): Gateway | undefined {
  for (const { id, value } of scene.store.each('user_gateways', scene.live))
    if (value.enabled !== false) return { id, name: String(value.name) };
  return undefined;
}

/** Flows that have been followed before, each with its nodes in order. */
const followed = new WeakMap<readonly Value[], readonly Value[]>();

/** The nodes along the edges from the start; nodes that no edge reaches come last, in the order of the text. */
function inOrder(flow: readonly Value[]): readonly Value[] {
  const known = followed.get(flow);
  // Only the order of a frozen flow, which cannot change any more, is used again.
  if (known && Object.isFrozen(flow)) return known;
  const nodes = follow(flow);
  followed.set(flow, nodes);
  return nodes;
}

function follow(flow: readonly Value[]): Value[] {
  const byId = new Map(flow.map((node) => [String(node.id), node]));
  const start = flow.find((node) => node.type === 'start_payment_request');
  const reached: Value[] = [];
  const visit = (node: Value | undefined) => {
    if (!node || reached.includes(node)) return;
    reached.push(node);
    for (const id of targetsOf(node.outputs)) visit(byId.get(id));
  };
  visit(start);
  const isChoosing = (node: Value) => start === undefined || reached.includes(node);
  return [...reached, ...flow.filter((node) => !reached.includes(node) && isChoosing(node))];
}

/** The ids of the nodes that outputs lead to, whatever form the connections have. */
function targetsOf(outputs: unknown): string[] {
  if (typeof outputs === 'string') return [outputs];
  if (Array.isArray(outputs)) return outputs.flatMap(targetsOf);
  if (typeof outputs !== 'object' || outputs === null) return [];
  return Object.entries(outputs).flatMap(([name, inner]) => (name === 'output' ? [] : targetsOf(inner)));
}

const GATEWAY_NAMES = /^(?:user_)?gateways?(?:_ids?)?$/;
const GROUP_NAMES = /^gateway_groups?(?:_ids?)?$/;

/** The gateways that a node names anywhere, including those of its groups. */
function idsIn(scene: Scene, content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap((one) => idsIn(scene, one));
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content as Value).flatMap(([name, inner]) => {
    if (name === 'inputs' || name === 'outputs') return [];
    if (GATEWAY_NAMES.test(name)) return plainIds(inner);
    if (GROUP_NAMES.test(name)) return plainIds(inner).flatMap((id) => membersOf(scene, id));
    return idsIn(scene, inner);
  });
}

function plainIds(content: unknown): string[] {
  const list = Array.isArray(content) ? content : [content];
  return list
    .map((one) => (typeof one === 'string' ? one : String((one as Value | null)?.id ?? '')))
    .filter((id) => id !== '');
}

function membersOf(scene: Scene, groupId: string): string[] {
  const group = scene.store.get('gateway_groups', groupId, scene.live)?.value;
  return group && group.enabled !== false ? plainIds(group.user_gateway) : [];
}

/**
 * Checks a payment flow (published): one start if its nodes have types, unique node ids, and only gateways and groups
 * that exist.
 * @throws Refusal 400.
 */
export function checkPaymentFlow(scene: Scene, flow: unknown): void {
  if (!Array.isArray(flow)) return;
  const nodes = flow as Value[];
  const ids = nodes.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) throw invalid('payment_flow: an id is used twice.');
  const typed = nodes.some(({ type }) => type !== undefined);
  const starts = nodes.filter(({ type }) => type === 'start_payment_request').length;
  if (typed && starts !== 1) throw invalid('payment_flow needs exactly one start_payment_request.');
  for (const node of nodes) {
    for (const id of targetsOf(node.outputs))
      if (!nodes.some((other) => String(other.id) === id)) throw invalid(`payment_flow: there is no node ${id}.`);
    checkNamed(scene, node);
  }
}

function checkNamed(scene: Scene, content: unknown): void {
  if (Array.isArray(content)) for (const one of content) checkNamed(scene, one);
  if (!isItem(content)) return;
  for (const [name, inner] of Object.entries(content)) {
    const family = GATEWAY_NAMES.test(name) ? 'user_gateways' : GROUP_NAMES.test(name) ? 'gateway_groups' : undefined;
    if (!family) {
      checkNamed(scene, inner);
      continue;
    }
    for (const id of plainIds(inner))
      if (!scene.store.get(family, id, scene.live))
        throw invalid(`payment_flow: the ${name.replaceAll('_', ' ')} ${id} does not exist.`);
  }
}

/**
 * The gateway of a renewal (service.md#subscription-profiles). `prefer_gateway` takes the last one that succeeded, or
 * with `lock_gateway` the one of the first sale; after `max` such renewals the payment profile decides again. `max` 0
 * means no limit. reading: prefer-gateway
 */
export function routeRenewal(scene: Scene, subscription: Stored, profile: Value) {
  const routed = () => ({
    gateway: routeBy(scene, typeof profile.payment_profile === 'string' ? profile.payment_profile : undefined),
    isPreferred: false,
  });
  const { enabled, lock_gateway: isLocked, max } = objectUnder(profile, 'prefer_gateway');
  const used = Number(scene.store.secret(`${subscription.id}.renewing`)?.preferred ?? 0);
  if (enabled !== true || (Number(max ?? 0) > 0 && used >= Number(max))) return routed();
  const id = (isLocked === true ? firstUsed(scene, subscription) : undefined) ?? lastUsed(scene, subscription);
  if (!id) return routed();
  const gateway = gatewayOf(scene, id);
  if (!gateway && isLocked !== true) return routed();
  return { gateway, isPreferred: true };
}

/** The gateways of successful payments for some items, oldest first. */
function gatewaysOf(scene: Scene, items: readonly Stored[]): string[] {
  return items
    .flatMap((item) => linked(scene, item, ['transactions']))
    .filter(({ value }) => value.result === 'approved')
    .flatMap(({ value }) => (typeof value.gateway_id === 'string' && value.gateway_id !== '' ? value.gateway_id : []));
}

function firstUsed(scene: Scene, subscription: Stored): string | undefined {
  return gatewaysOf(scene, linked(scene, subscription, ['sales']))[0];
}

function lastUsed(scene: Scene, subscription: Stored): string | undefined {
  const renewals = idsUnder(subscription.value, 'subscription_renewals');
  for (const id of [...renewals].reverse()) {
    const renewal = scene.store.get('subscription_renewals', id, scene.live);
    const used = renewal && gatewaysOf(scene, [renewal]).at(-1);
    if (used) return used;
  }
  return firstUsed(scene, subscription);
}

import type { Stored } from '../store/item-store.js';
import { isItem, listUnder } from '../store/item-values.js';
import { modeOf } from '../store/kinds.js';
import type { Call, Rules, Scene } from './call.js';
import { create, done, required } from './generic.js';
import { invalid } from './refusals.js';

/** Families of the kinds that can be linked, where the kind is not named like its family (published). */
const WORDS: Readonly<Record<string, string>> = {
  custom_function: 'functions',
  gateway: 'user_gateways',
  third_party_shop: 'user_shops',
  third_party_integration: 'user_third_party_integrations',
};

/** Ids by kind, as a project shows its links (published: grouped by entity type). */
type Entities = Record<string, { id: string }[]>;

/** Rules for projects: their links and notes. */
export const PROJECT_RULES: Rules = {
  'POST /projects': (call) => done(call, create(call, { entities: {} }).id),
  'POST /projects/{}/associate_entity': (call) => {
    const item = required(call);
    const { type, id, entity } = named(call);
    associate(call, item, type, id);
    show(call, entity, item, true);
    return done(call, item.id, { entity_type: type, entity_id: id });
  },
  'POST /projects/{}/disassociate_entity': (call) => {
    const item = required(call);
    const { type, id, entity } = named(call);
    const entities = entitiesOf(item);
    const left = (entities[type] ?? []).filter((one) => one.id !== id);
    if (left.length === (entities[type] ?? []).length) throw invalid('The entity is not associated with this project.');
    const { [type]: _gone, ...others } = entities;
    call.store.update(item, { entities: left.length > 0 ? { ...entities, [type]: left } : others }, call.now);
    show(call, entity, item, false);
    return done(call, item.id, { entity_type: type, entity_id: id });
  },
  'POST /projects/{}/delete': (call) => {
    const item = required(call);
    for (const { id } of entitiesOf(item).product ?? []) {
      const product = call.store.get('products', id, call.live);
      if (product) show(call, product, item, false);
    }
    call.store.remove(item);
  },
};

function entitiesOf(item: Stored): Entities {
  const { entities } = item.value;
  return isItem(entities) ? (entities as Entities) : {};
}

function associate(call: Scene, project: Stored, type: string, id: string): void {
  const entities = entitiesOf(project);
  const others = (entities[type] ?? []).filter((one) => one.id !== id);
  call.store.update(project, { entities: { ...entities, [type]: [...others, { id }] } }, call.now);
}

/** The entity in a body, which must exist (published). */
function named(call: Call): { type: string; id: string; entity: Stored } {
  const type = String(call.body.entity_type);
  const id = String(call.body.entity_id);
  const family = WORDS[type] ?? `${type}s`;
  const entity = call.store.get(family, id, modeOf(family, call.live));
  if (!entity) throw invalid(`The ${type.replaceAll('_', ' ')} ${id} does not exist.`);
  return { type, id, entity };
}

/** A product shows its projects (service.md#products), which can also be used to find it. */
function show(call: Call, entity: Stored, project: Stored, belongs: boolean): void {
  if (entity.family !== 'products') return;
  const others = listUnder(entity.value, 'project').filter(({ id }) => id !== project.id);
  const own = belongs ? [{ id: project.id, name: project.value.name }] : [];
  call.store.update(entity, { project: [...others, ...own] }, call.now);
}

/** Links a product to the projects in its own body. */
export function joinProjects(call: Scene, product: Stored): void {
  for (const { id } of (product.value.project ?? []) as { id: string }[]) {
    const project = call.store.get('projects', id, call.live);
    if (project) associate(call, project, 'product', product.id);
  }
}

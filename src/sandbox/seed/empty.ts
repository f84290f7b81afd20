import { head, type SeedScene } from './account.js';

/** Seeds an account of which only exists what nobody can create through the interface: its campaigns. */
export function seedEmptyAccount(scene: SeedScene, live: boolean): void {
  for (const name of ['Default', 'Spring Newsletter', 'Affiliates'])
    scene.writer.add('campaigns', live, head(scene, 450, { name, description: `${name} campaign`, enabled: true }));
  const settings = {
    ...head(scene, 420),
    id: undefined,
    created_date_unix: undefined,
    enabled: true,
    tracking_visitor_validator: { enabled: false, reject_non_existing: false },
  };
  scene.writer.add('sentinel', live, settings, { id: 'sentinel' });
}

import type { FamilyActionSpec } from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'check',
  dryRun: 'reads',
  families: ['ai_assistants', 'customer_portals', 'functions', 'shipping_profiles', 'subscription_profiles'],
  about: 'Check a file against the schema and the documented rules; nothing is sent',
  arguments: [{ name: '<file>', about: 'JSON, or YAML by file ending; - for standard input', values: 'file or input' }],
  options: [{ flags: '--edit', about: 'check the file as the changes of an edit, not as a whole definition' }],
  examples: [
    'functions check function.json',
    'subscription-profiles check profile.yaml',
    'subscription-profiles check profile.yaml --edit',
  ],
};

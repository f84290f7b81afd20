import type { Define } from './define.js';

const LOADERS: Readonly<Record<string, () => Promise<Record<string, Define>>>> = {
  login: () => import('./define-profiles.js'),
  logout: () => import('./define-profiles.js'),
  whoami: () => import('./define-profiles.js'),
  profiles: () => import('./define-profiles.js'),
  mode: () => import('./define-profiles.js'),
  config: () => import('./define-config.js'),
  doctor: () => import('./define-config.js'),
  history: () => import('./define-writes.js'),
  bulk: () => import('./define-writes.js'),
  export: () => import('./define-export.js'),
  sync: () => import('./define-export.js'),
  sandbox: () => import('./define-sandbox.js'),
  api: () => import('./define-service.js'),
  openapi: () => import('./define-knowledge.js'),
  overview: () => import('./define-knowledge.js'),
  reference: () => import('./define-knowledge.js'),
  explain: () => import('./define-knowledge.js'),
  completion: () => import('./define-completion.js'),
  commands: () => import('./define-tool.js'),
};

/** The definition of one command, loaded with what it needs. */
export async function loadBuiltin(name: string): Promise<Define> {
  const chunk = await LOADERS[name]?.();
  const define = chunk?.[name === 'export' ? 'exportCommand' : name];
  if (!define) throw new Error(`no definition for ${name}`);
  return define;
}

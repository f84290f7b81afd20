export { configFolder, dataFolder, type FolderFacts } from './folders.js';
export { fingerprint, maskKey } from './keys.js';
export { type Defaults, profileNames, type ResolveInput, resolveDefaults, resolveProfile } from './resolve.js';
export { openStore, type Store } from './store.js';
export { modeOfFlags } from './values.js';

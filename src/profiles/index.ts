export { configFolder, dataFolder } from './folders.js';
export { type Defaults, resolveDefaults, resolveProfile } from './resolve.js';
export { openStore } from './store.js';

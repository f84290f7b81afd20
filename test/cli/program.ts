export { Home, homeFor } from '../harness/home.js';
export { type Ran, ROOT } from '../harness/in-process.js';
export { PROGRAM } from '../harness/process.js';

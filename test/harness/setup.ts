import { afterEach } from 'vitest';
import { closeAll } from './closing.js';

// Runs for every file; what a module registers runs only for the first file of a worker.
afterEach(closeAll);

import type { Command } from 'commander';
import type { Job } from '../command/done.js';

/** Adds one command beside the families to the program; `accept` takes what its line asks for. */
export type Define = (program: Command, accept: (job: Job) => void) => void;

#!/usr/bin/env node
require('./cached.js').start(process);

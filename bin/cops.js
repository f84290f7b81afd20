#!/usr/bin/env node
'use strict';
require('./cached.js').start(process);

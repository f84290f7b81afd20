// Where the executable begins. Its chunks and their code caches lie in it as assets.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { chunkLoader } = require('./chunks.cjs');

const assets = new Set(getAssetKeys());
chunkLoader({
  read: getRawAsset,
  readCache: (name) => (assets.has(`${name}.cache`) ? Buffer.from(getRawAsset(`${name}.cache`)) : undefined),
})('entry.js');

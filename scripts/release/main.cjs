// The start of the executable. Its chunks and their code caches are assets inside it.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { chunkLoader } = require('../../bin/chunks.js');

const assets = new Set(getAssetKeys());
chunkLoader({
  folder: 'cops/',
  read: (name) => Buffer.from(getRawAsset(name)).latin1Slice(),
  readCache: (name) => (assets.has(`${name}.cache`) ? Buffer.from(getRawAsset(`${name}.cache`)) : undefined),
})('entry.js');

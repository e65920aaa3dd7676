/*
 * Replaces the index of undici, which imports every part. These paths are private, so the version is pinned.
 * test/tools/build/slim-packages.test.ts names the tested version.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';

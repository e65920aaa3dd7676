/*
 * Stands in for undici, of which every part hangs on its index. These are private paths: the version is pinned, and
 * test/build/slim-packages.test.ts names the one that they were tried with.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';

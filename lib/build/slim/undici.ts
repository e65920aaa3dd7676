/*
 * Stands in for undici, of which every part hangs on its index. This is a private path: the version is pinned, and
 * test/build/slim-packages.test.ts names the one that it was tried with.
 */
export { default as Pool } from 'undici/lib/dispatcher/pool.js';

/* The path below undici that undici.ts takes; the package types its index only. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

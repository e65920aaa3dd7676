/** One test of each `each` tests with these titles runs in `npm test`, the first of them always. */
export type Sample = {
  /** The test file's path. */
  readonly files: RegExp;
  /** The full title of a test. @default every test of the file */
  readonly titles?: RegExp;
  readonly each: number;
};

/**
 * What `npm test` does not run in full. `npm run soak` runs every case, and so does `vitest run` with a file's name.
 * Each row says which test still covers all of it in `npm test`.
 */
export const samples: readonly Sample[] = [
  // direct/operations.test.ts does every operation in both modes, and contract/generated.test.ts sends requests to each.
  { files: /^test\/contract\/(?!generated|lost-replies)/, titles: /^connected/, each: 4 },
  // One mechanism gives every command its idempotency.
  { files: /^test\/contract\/lost-replies/, titles: / is (answered|done)/, each: 5 },
  // They test the harness of generated.test.ts.
  { files: /^test\/contract\/generated-faults/, each: 4 },
  // test/returns/verify-history.test.ts has each fault of a chain, without a store.
  { files: /^test\/contract\/verify-history/, titles: /^standalone/, each: 2 },
  // in-a-flow.ts starts the functions that work together; test/build looks into every zip.
  { files: /^test\/runtime\/(standalone|connected)/, titles: /answers as the contract says/, each: 5 },
  { files: /^test\/direct\/operations/, titles: /^\w+ every operation/, each: 5 },
  { files: /^test\/webhooks\/platforms/, titles: /^the connected/, each: 3 },
  { files: /^test\/runtime\/(freezes|outages|leaks|metrics)/, each: 2 },
  { files: /^test\/oauth\/(token-endpoint-faults|secret-faults)/, each: 3 },
  { files: /^test\/build\/slim/, each: 2 },
  { files: /^test\/client\/decisions/, each: 4 },
  { files: /^test\/bench\/token\/ours/, each: 2 },
];

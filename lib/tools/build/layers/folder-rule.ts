/** A folder, and the imports that its files may have. */
export type FolderRule = {
  /** The message of lint for another import. */
  readonly rule: string;
  /** Folders with everything below them, files, or files by a pattern such as `lib/shops/platforms/*.ts`. */
  readonly imports: readonly string[];
  /** Packages, and modules of Node.js as `node:*`. @default none */
  readonly packages?: readonly string[];
  /** Parts of the folder that its own files may not import, such as sibling folders of `lib/domain/policies`. */
  readonly closed?: readonly string[];
};

export const runtime = 'lib/runtime';
export const result = 'lib/runtime/result.ts';
export const node = 'node:*';
export const aws = '@aws-sdk/*';

/** The core of the domain, which most wings know. */
export const domain = ['lib/domain/money', 'lib/domain/returns'];
export const domainRooms = [
  ...domain,
  'lib/domain/events',
  'lib/domain/messages',
  'lib/domain/policies',
  'lib/domain/texts',
  'lib/domain/withdrawals',
  'lib/domain/write-back',
];

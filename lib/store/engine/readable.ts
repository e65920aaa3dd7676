/**
 * The schema of rows that this release reads and writes. A row of this schema has no attribute `schema`, so that it
 * costs no bytes. A release that changes a row incompatibly writes 2 there.
 */
const rowSchema = 1;

/** A newer release wrote a row or a value in a form that this release cannot read. The data is intact. */
export class NewerRelease extends Error {
  override readonly name = 'NewerRelease';

  constructor() {
    super('a newer release wrote this value');
  }
}

type Item = Readonly<Record<string, unknown>>;
/** The items in the response of a read: of one item, of a query or of a batch. */
type ReadOutput = {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
};

const isNewer = ({ schema }: Item): boolean => typeof schema === 'number' && schema > rowSchema;

/**
 * Returns the response of the engine if this release can read all of its rows.
 *
 * @throws {NewerRelease}
 */
export const assertReadable = <Output extends object>(output: Output): Output => {
  const { Item, Items = [], Responses = {} }: ReadOutput = output;
  const isUnreadable =
    (Item !== undefined && isNewer(Item)) ||
    Items.some(isNewer) ||
    Object.values(Responses).some((items) => items.some(isNewer));
  if (isUnreadable) throw new NewerRelease();
  return output;
};

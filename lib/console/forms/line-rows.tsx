import { isRecord } from '../api/record.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { formatNumber } from '../texts/format.ts';
import { fieldText } from './field-texts.ts';
import { elementId, type FieldProps, type LineChoice, useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import { ObjectFields } from './object-field.tsx';
import { type LineKey, pointer, type Resolved } from './schema.ts';

type Props = Pick<FieldProps, 'value' | 'path' | 'onChange'> & {
  readonly schema: Resolved;
  readonly lineKey: LineKey;
};

type Entry = Readonly<Record<string, unknown>>;

/** A row of the table. A line without an entry has a row with no units. */
type Row = { readonly line: LineChoice; readonly entry: Entry; readonly place: number | undefined };

const rowsOf = (
  lines: readonly LineChoice[],
  entries: readonly Entry[],
  emptyEntry: (line: LineChoice) => Entry,
  key: LineKey,
): readonly Row[] =>
  lines.flatMap((line): readonly Row[] => {
    const own = entries.flatMap((entry, place) => (entry[key] === line.id ? [{ line, entry, place }] : []));
    return own.length > 0 ? own : [{ line, entry: emptyEntry(line), place: undefined }];
  });

const Quantity = ({ row, path, onChange }: { row: Row; path: string; onChange: (quantity: number) => void }) => {
  const { fieldErrors } = useFormInfo();
  const { line, entry } = row;
  const error = fieldErrors.get(path);
  return (
    <>
      <input
        id={elementId(path)}
        class="quantity"
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        aria-label={fill(formTexts().unitsOf, { name: line.title })}
        aria-invalid={error !== undefined}
        value={typeof entry['quantity'] === 'number' ? entry['quantity'] : ''}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      {error !== undefined && <p class="field-error">{error}</p>}
    </>
  );
};

/**
 * A table with a row for each line of a return: what is possible, and the units that a person chooses. A line can have
 * several entries with different details.
 */
export const LineRows = ({ schema, value, path, onChange, lineKey }: Props) => {
  const { lines, resolve, fieldErrors, isHidden } = useFormInfo();
  const t = formTexts();
  const items = resolve(schema.items ?? {});
  const names = Object.keys(items.properties ?? {});
  const hasQuantity = names.includes('quantity');
  const hasDetails = names.some((name) => name !== lineKey && name !== 'quantity' && !isHidden(name));
  // A list with units of zero has each line once.
  const canSplit = hasQuantity && resolve(items.properties?.['quantity'] ?? {}).minimum !== 0;
  const showsPossible = lines.some(({ possible }) => possible !== undefined);
  const entries = Array.isArray(value) ? (value as readonly Entry[]).filter(isRecord) : [];
  const emptyEntry = ({ id }: LineChoice): Entry => ({ [lineKey]: id, ...(hasQuantity && { quantity: 0 }) });
  const rows = rowsOf(lines, entries, emptyEntry, lineKey);
  const chosen = entries.reduce((sum, { quantity }) => sum + (typeof quantity === 'number' ? quantity : 0), 0);
  const set = ({ place }: Row, entry: Entry) =>
    onChange(place === undefined ? [...entries, entry] : entries.map((known, at) => (at === place ? entry : known)));
  const setAll = (unitsOf: (line: LineChoice) => number) => {
    const seen = new Set<string>();
    onChange(
      rows.map(({ line, entry }) => {
        // Of several entries of a line, the first one gets all units.
        const quantity = seen.has(line.id) ? 0 : unitsOf(line);
        seen.add(line.id);
        return { ...entry, quantity };
      }),
    );
  };
  const pathOf = ({ place }: Row, index: number) => pointer(path, place ?? entries.length + index);
  return (
    <div class="line-rows">
      <table>
        <thead>
          <tr>
            <th scope="col">{fieldText('lineId')}</th>
            {showsPossible && (
              <th scope="col" class="number">
                {t.possible}
              </th>
            )}
            {hasQuantity && <th scope="col">{fieldText('quantity')}</th>}
            {hasDetails && <th scope="col">{common().details}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const at = pathOf(row, index);
            return (
              <tr key={`${row.line.id} ${row.place ?? ''}`}>
                <th scope="row">
                  {row.line.title}
                  {fieldErrors.has(at) && <p class="field-error">{fieldErrors.get(at)}</p>}
                </th>
                {showsPossible && (
                  <td class="number">
                    <span class="row-name">{t.possible}: </span>
                    {row.line.possible === undefined ? '' : formatNumber(row.line.possible)}
                  </td>
                )}
                {hasQuantity && (
                  <td>
                    <Quantity
                      row={row}
                      path={pointer(at, 'quantity')}
                      onChange={(quantity) => set(row, { ...row.entry, quantity })}
                    />
                  </td>
                )}
                {hasDetails && (
                  <td>
                    <div class="row-details">
                      <ObjectFields
                        schema={items}
                        value={row.entry}
                        path={at}
                        without={[lineKey, 'quantity']}
                        onChange={(entry) => set(row, entry as Entry)}
                        compact
                      />
                      {canSplit && row.line.possible !== 1 && (
                        <button
                          type="button"
                          class="small"
                          aria-label={fill(t.splitLine, { name: row.line.title })}
                          onClick={() => onChange([...entries, { ...row.entry, quantity: 0 }])}
                        >
                          {t.split}
                        </button>
                      )}
                    </div>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {hasQuantity && showsPossible && (
        <div class="row">
          <button type="button" class="small" onClick={() => setAll(({ possible = 0 }) => possible)}>
            {t.everything}
          </button>
          <button type="button" class="small" onClick={() => setAll(() => 0)}>
            {t.nothing}
          </button>
          <span class="fine" aria-live="polite">
            {fill(t.sum, { count: chosen })}
          </span>
        </div>
      )}
    </div>
  );
};

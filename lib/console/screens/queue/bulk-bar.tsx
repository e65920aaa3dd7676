import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { type BulkCommand, bulkCommands } from '../../../contract/jobs/bulk-commands.ts';
import { fill } from '../../texts/fill.ts';
import { label } from '../../texts/labels.ts';
import type { BulkDialogProps } from './bulk-dialog.tsx';
import { clearSelection, selected, type Summary } from './selection.ts';
import { t } from './texts.ts';
import { maxBulk } from './use-bulk.ts';

type Opened = { readonly items: readonly Summary[]; readonly Dialog: ComponentType<BulkDialogProps> };

/** What a person can do with the selected returns. */
export const BulkBar = ({ onDone }: { onDone: () => void }) => {
  const [command, setCommand] = useState<BulkCommand>('approve');
  // The dialog keeps its returns when the list changes below it.
  const [opened, setOpened] = useState<Opened | undefined>();
  const count = selected.value.size;
  const open = async () => {
    const items = [...selected.value.values()];
    // Most visits of the queue need no form.
    const { BulkDialog } = await import('./bulk-dialog.tsx');
    setOpened({ items, Dialog: BulkDialog });
  };
  const text = t().bulk;
  return (
    <>
      {count > 0 && (
        <div class="queue-bulk" role="group" aria-label={fill(text.selected, { count })}>
          <strong role="status">{fill(text.selected, { count })}</strong>
          <select
            aria-label={text.command}
            value={command}
            onChange={(event) =>
              setCommand(bulkCommands.find((name) => name === event.currentTarget.value) ?? 'approve')
            }
          >
            {bulkCommands.map((name) => (
              <option key={name} value={name}>
                {label('action', name)}
              </option>
            ))}
          </select>
          <button type="button" class="primary" disabled={count > maxBulk} onClick={() => void open()}>
            {text.start}
          </button>
          {count > maxBulk && <span class="field-error">{fill(text.max, { max: maxBulk })}</span>}
          <button type="button" class="link-button" onClick={clearSelection}>
            {text.clear}
          </button>
        </div>
      )}
      {opened !== undefined && (
        <opened.Dialog
          command={command}
          items={opened.items}
          onClose={() => setOpened(undefined)}
          onDone={() => {
            clearSelection();
            onDone();
          }}
        />
      )}
    </>
  );
};

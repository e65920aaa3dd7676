import { areKeysOn, turnKeys } from '../app/single-keys.ts';
import { Facts } from './basics.tsx';
import { Dialog } from './dialog.tsx';
import { t } from './texts.ts';

/** The button that lists the keys of a screen. Its own key works as the others do. */
export const KeyHelpButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" {...(areKeysOn.value && { 'aria-keyshortcuts': '?' })} onClick={onClick}>
    <kbd>?</kbd> {t().keyHelp.title}
  </button>
);

/** The keys of a screen with their meanings, and the switch that turns them off. */
export const KeyHelp = ({
  keys,
  onClose,
}: {
  keys: readonly (readonly [key: string, meaning: string])[];
  onClose: () => void;
}) => (
  <Dialog title={t().keyHelp.title} onClose={onClose}>
    <Facts
      rows={[...keys, ['?', t().keyHelp.help] as const].map(
        ([key, meaning]) => [<kbd key={key}>{key}</kbd>, meaning] as const,
      )}
    />
    <label class="row key-switch">
      <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
      {t().keyHelp.on}
    </label>
    <p class="field-hint">{t().keyHelp.hint}</p>
  </Dialog>
);

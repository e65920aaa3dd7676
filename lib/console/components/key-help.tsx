import { areKeysOn, turnKeys } from '../app/single-keys.ts';
import { texts } from '../texts/language.ts';
import { Facts } from './basics.tsx';
import { Dialog } from './dialog.tsx';

const t = texts(
  {
    title: 'Keys',
    help: 'This list',
    on: 'Use these keys',
    hint: 'Turn them off if they disturb your speech input or screen reader.',
  },
  {
    title: 'Teclas',
    help: 'Esta lista',
    on: 'Usar estas teclas',
    hint: 'Desligue-as se perturbarem a entrada por voz ou o leitor de ecrã.',
  },
  { hint: 'Desligue-as se atrapalharem a entrada por voz ou o leitor de tela.' },
);

/** The button that lists the keys of a screen. Its own key works as the others do. */
export const KeyHelpButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" {...(areKeysOn.value && { 'aria-keyshortcuts': '?' })} onClick={onClick}>
    <kbd>?</kbd> {t().title}
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
  <Dialog title={t().title} onClose={onClose}>
    <Facts
      rows={[...keys, ['?', t().help] as const].map(([key, meaning]) => [<kbd key={key}>{key}</kbd>, meaning] as const)}
    />
    <label class="row key-switch">
      <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
      {t().on}
    </label>
    <p class="field-hint">{t().hint}</p>
  </Dialog>
);

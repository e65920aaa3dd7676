import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { common } from '../texts/common.ts';

/** A native modal dialog. It is open as long as it is rendered. */
export const Dialog = ({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}) => {
  const element = useRef<HTMLDialogElement>(null);
  // A second dialog, such as that of a new sign-in, may open above this one.
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    // The focus returns to the button that opened the dialog.
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label={common().close} onClick={onClose}>
          ×
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
};

import { useRef, useState } from 'preact/hooks';
import type { OperationName } from '../../contract/contract.ts';
import { Loading } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useLoaded } from '../components/lazy.tsx';
import { LeaveDialog } from '../components/unsaved.tsx';
import type { CommandDialogProps } from './command-props.ts';

const loadForm = async () => import('./command-form.tsx');

/**
 * A dialog for a command: a form from the schema of its body, and what the command would change. A dry run tells it
 * while the person fills in the form, and one button sends. The form is a file of its own, which the browser loads
 * when a person opens the first one. Escape and the cross ask before entries are lost.
 */
export const CommandDialog = <Name extends OperationName>(props: CommandDialogProps<Name>) => {
  const form = useLoaded('form', loadForm);
  const isChanged = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const onEdit = (differs: boolean) => {
    isChanged.current = differs;
  };
  return (
    <>
      <Dialog title={props.title} onClose={() => (isChanged.current ? setLeaving(true) : props.onClose())} wide>
        {form === undefined ? <Loading /> : <form.CommandForm {...props} onEdit={onEdit} />}
      </Dialog>
      {isLeaving && <LeaveDialog onLeave={props.onClose} onStay={() => setLeaving(false)} />}
    </>
  );
};

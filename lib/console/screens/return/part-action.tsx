import { may } from '../../session/session.ts';
import { label } from '../../texts/labels.ts';
import { type CommandName, isCommand, nextCommand } from './commands.ts';
import { type Opened, useScreen } from './context.ts';
import { t } from './texts.ts';

type Props = {
  readonly name: CommandName;
  readonly text: string;
  /** Says which part of the return the button is about. */
  readonly about: string;
  readonly command: Omit<Opened, 'name' | 'title'>;
};

/** A button for a command on a part of the return, such as a parcel or a refund. */
export const PartAction = ({ name, text, about, command }: Props) => {
  const { value, open } = useScreen();
  const action = value.allowedActions?.find((candidate) => candidate.action === name);
  if (!may('returns:write') || action === undefined || !action.allowed) return null;
  const isMissingScope = !may(action.scope);
  // The reversal of a paid refund is possible, but it is no next step.
  const isNext = nextCommand(value)?.action === name && command.initial['status'] !== 'reversed';
  const title = isCommand(name) ? label('action', name) : text;
  return (
    <button
      type="button"
      class={isNext ? 'small primary' : 'small'}
      aria-label={`${text}: ${about}`}
      aria-disabled={isMissingScope}
      {...(isMissingScope && { title: t().adminOnly, 'aria-description': t().adminOnly })}
      onClick={() => {
        if (!isMissingScope) open({ ...command, name, title });
      }}
    >
      {text}
    </button>
  );
};

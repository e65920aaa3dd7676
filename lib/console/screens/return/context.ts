import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Choice } from '../../forms/form-context.ts';
import type { Titles } from '../../forms/return-form.ts';
import type { CommandName, Return } from './commands.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A command that the person has opened. */
export type Opened = {
  readonly name: CommandName;
  readonly title: string;
  /** The fields of the path besides the id of the return. */
  readonly input?: Fields;
  readonly initial: Fields;
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  readonly hidden?: readonly string[];
  /** Fields that make no sense with the present entries. */
  readonly excluded?: (entries: Fields) => readonly string[];
  /** What the command states as the person has seen it. */
  readonly seen?: (output: Return) => Fields;
  /** A text above the form. */
  readonly intro?: ComponentChildren;
};

/** What every part of the screen knows. */
export type Screen = {
  readonly value: Return;
  /** The titles of the lines, by their ids. */
  readonly titles: Titles;
  /** The texts of the reasons, by their codes. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly open: (command: Opened) => void;
  readonly reload: () => void;
};

export const ScreenContext = createContext<Screen | undefined>(undefined);

export const useScreen = (): Screen => {
  const screen = useContext(ScreenContext);
  if (screen === undefined) throw new Error('A part of the screen needs the screen.');
  return screen;
};

import { useState } from 'preact/hooks';
import type { Output } from '../../../../contract/contract.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { Time } from '../../../components/basics.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { fill } from '../../../texts/fill.ts';
import { type Document } from '../document/document.ts';
import { defaultSide, type Difference, differencesOf, merge, type Side } from '../document/merge.ts';
import { t } from '../texts.ts';
import { DocumentValue } from './diff.tsx';
import { fieldWords } from './field-words.ts';

type Version = Output<'getVersion'>;

const sides = ['mine', 'theirs'] as const;

const Part = ({ of, side, onChange }: { of: Difference; side: Side; onChange: (side: Side) => void }) => {
  const words = t().conflict;
  const title =
    of.kind === 'rule' ? fill(words.rule, { id: of.name }) : fill(words.field, { name: fieldWords(`/${of.name}`) });
  return (
    <fieldset>
      <legend>{title}</legend>
      <p class="fine">{words.changedBy[of.changedBy]}</p>
      {sides.map((choice) => (
        <label key={choice} class="box">
          <input type="radio" name={of.key} checked={side === choice} onChange={() => onChange(choice)} />
          <span>
            <strong>{words[choice]}</strong>:{' '}
            {of[choice] === undefined ? <em>{words.absent}</em> : <DocumentValue value={of[choice]} />}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

/** Offers a choice for each part of the draft that two people saved. */
export const Conflict = ({
  base,
  mine,
  theirs,
  onResolve,
  onClose,
}: {
  base: Version;
  mine: Document;
  theirs: Version;
  onResolve: (document: Document) => void;
  onClose: () => void;
}) => {
  const words = t().conflict;
  const differences = differencesOf(base.document, mine, theirs.document);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = (difference: Difference): Side => chosen[difference.key] ?? defaultSide(difference);
  const chooseAll = (side: Side) => setChosen(Object.fromEntries(differences.map(({ key }) => [key, side])));
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <p>{words.text}</p>
      <p class="fine">
        {t().savedBy} <ActorName actor={theirs.updatedBy} byList />, <Time at={theirs.updatedAt} />
      </p>
      {differences.length === 0 && <p>{words.same}</p>}
      <div class="actions">
        <button type="button" onClick={() => chooseAll('mine')}>
          {words.allMine}
        </button>
        <button type="button" onClick={() => chooseAll('theirs')}>
          {words.allTheirs}
        </button>
      </div>
      {differences.map((difference) => (
        <Part
          key={difference.key}
          of={difference}
          side={sideOf(difference)}
          onChange={(side) => setChosen({ ...chosen, [difference.key]: side })}
        />
      ))}
      <div class="actions">
        <button type="button" class="primary" onClick={() => onResolve(merge(mine, differences, sideOf))}>
          {words.apply}
        </button>
      </div>
    </Dialog>
  );
};

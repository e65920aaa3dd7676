import type { ScreenProps } from '../../app/screen-props.ts';
import { PolicyList } from './lifecycle/list.tsx';
import { PolicyScreen } from './policy.tsx';

export const Screen = ({ id }: ScreenProps) => (id === '' ? <PolicyList /> : <PolicyScreen key={id} policyId={id} />);

import type { ScreenProps } from '../../app/routes.ts';
import { PolicyList } from './life/list.tsx';
import { PolicyScreen } from './policy.tsx';

export const Screen = ({ id }: ScreenProps) => (id === '' ? <PolicyList /> : <PolicyScreen key={id} policyId={id} />);

import type { ScreenProps } from '../../app/screen-props.ts';
import { CustomerText } from './lifecycle/customer-text.tsx';
import { PolicyList } from './lifecycle/list.tsx';
import { PolicyScreen } from './policy.tsx';

export const Screen = ({ id }: ScreenProps) => {
  if (id === 'text') return <CustomerText />;
  return id === '' ? <PolicyList /> : <PolicyScreen key={id} policyId={id} />;
};

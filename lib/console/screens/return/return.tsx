import { getReturn } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import type { ScreenProps } from '../../app/routes.ts';
import { Json } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';

export const Screen = ({ id }: ScreenProps) => {
  const loaded = useCall(getReturn, { returnId: id });
  return <Resource of={loaded}>{(value) => <Json value={value} />}</Resource>;
};

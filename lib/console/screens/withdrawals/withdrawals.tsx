import type { ScreenProps } from '../../app/screen-props.ts';
import { Declaration } from './declaration.tsx';
import { WithdrawalQueue } from './withdrawal-queue.tsx';

/** The declarations of withdrawal, or one of them. */
export const Screen = ({ id }: ScreenProps) => (id === '' ? <WithdrawalQueue /> : <Declaration withdrawalId={id} />);

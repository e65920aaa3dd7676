import type { ScreenProps } from '../../app/screen-props.ts';
import { EndpointDelivery } from './endpoint-delivery.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { Endpoint } from './endpoint.tsx';

/** The receivers of events, one of them, or the delivery of one event to it. */
export const Screen = ({ id, part }: ScreenProps) => {
  if (id === '') return <EndpointList />;
  return part === '' ? <Endpoint endpointId={id} /> : <EndpointDelivery endpointId={id} eventId={part} />;
};

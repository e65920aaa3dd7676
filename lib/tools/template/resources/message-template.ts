import type { Offer } from '../offer.ts';
import type { TemplatePart } from './cloudformation.ts';

/** Returns the parameters of messages to customers. Only the standalone mode makes messages. */
export const messageTemplate = ({ mode }: Offer): TemplatePart =>
  mode === 'connected'
    ? {}
    : {
        Parameters: {
          ReturnAddress: {
            Type: 'String',
            Default: '',
            AllowedPattern: '[^\\x00-\\x1f\\x7f]{0,300}',
            Description: 'Address to which messages ask customers to send goods, on one line',
          },
        },
      };

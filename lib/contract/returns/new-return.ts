import Type from 'typebox';
import {
  about,
  closed,
  ExternalRefs,
  matching,
  Metadata,
  Observation,
  oneOf,
  OrderRef,
  Tags,
  text,
} from '../scalars.ts';
import { NewLine } from './return-line.ts';

const { Optional: optional, Array: list } = Type;

export const ManagedBy = oneOf('service', 'platform');
export const InitiatedBy = oneOf('customer', 'agent', 'system', 'marketplace');
export const Basis = oneOf('withdrawal', 'defect', 'warranty', 'wrong_item', 'transit_damage', 'goodwill', 'recall');

export const managedByText =
  '`service`: this service decides on the return. `platform`: the platform decides and reports its decisions.';
export const initiatedByText = 'Who asks for the return.';
export const basisText = 'The legal or commercial basis of the return.';
export const channel = optional(about(text(100), 'The sales channel of the return, as the shop names it.'));

const ScoreSource = text(
  50,
  matching('^[a-z0-9_.-]+$', 'a name such as risk-service: 1 to 50 of a-z, 0-9, _, . and -'),
);

/** The input of a policy decision: units of a registered order, and who asks to return them. */
const request = {
  order: about(closed(OrderRef), 'The order. It must be registered.'),
  lines: about(
    list(NewLine, { minItems: 1, maxItems: 200 }),
    'The units to return. Several entries of one order line are separate lines of the return.',
  ),
  channel,
  initiatedBy: optional(about(InitiatedBy, `${initiatedByText} The default is \`agent\`.`)),
  basis: optional(about(Basis, basisText)),
  externalScore: optional(
    about(
      closed({
        source: about(ScoreSource, 'The service that scored the request.'),
        value: about(Type.Integer({ minimum: 0, maximum: 1000 }), 'The score. Its service says what it means.'),
      }),
      'A score of another service. A policy may ask for a person because of it, and for nothing else.',
    ),
  ),
  isGift: optional(
    about(
      Type.Boolean(),
      'Whether the units were a gift: the refund is then store credit or a gift card. The default is the fact of the order, else `false`.',
    ),
  ),
};

export const ProspectiveReturn = closed(request, {
  $id: 'ProspectiveReturn',
  description: 'A return that a customer may request later.',
});

const ObservedReturn = closed(
  {
    ...Observation.properties,
    status: optional(
      about(
        oneOf('requested', 'approved', 'rejected'),
        'The decision of the platform. If it is absent, the policy and the terms of the service decide.',
      ),
    ),
  },
  { $id: 'ObservedReturn', description: 'A return that the platform created before, with its decision.' },
);

export const NewReturn = closed(
  {
    ...request,
    managedBy: optional(about(ManagedBy, `${managedByText} The default is \`service\`.`)),
    externalRefs: optional(about(ExternalRefs, 'The ids of the return at platforms. Only one return can have an id.')),
    tags: optional(about(Tags, "Tags for the shop's own use.")),
    metadata: optional(about(Metadata, "Names and values for the shop's own use.")),
    eligibilityToken: optional(
      about(
        text(4000),
        'The token of a quote for exactly this request. The policy version of the quote then decides. The token is valid for 15 minutes.',
      ),
    ),
    observed: optional(
      about(ObservedReturn, 'Set when the platform has already created the return and reports it as a fact.'),
    ),
  },
  { $id: 'NewReturn', description: 'A request to return units of a registered order.' },
);

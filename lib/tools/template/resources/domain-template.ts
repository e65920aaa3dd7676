import type { Gateway } from '../alarms/alarm.ts';
import { hasInbox } from '../functions.ts';
import type { Offer } from '../offer.ts';
import { hasValue, onlyIf } from './account-template.ts';
import type { Resource, TemplatePart } from './cloudformation.ts';

/* Domains of the APIs, by the parameters of lib/tools/template/account-parameters.ts. */

const apis = {
  Api: { parameter: 'DomainName', condition: 'NamesDomain' },
  Hooks: { parameter: 'HooksDomainName', condition: 'NamesHooksDomain' },
} as const satisfies Readonly<Record<Gateway, object>>;

const trustsClients = 'TrustsClients';
const pinsTruststore = 'PinsTruststore';
const hasHooksCertificate = 'HasHooksCertificate';

/** The gateway reads the authorities of client certificates from a file of S3. Platforms have no client certificate. */
const mutualTls = {
  MutualTlsAuthentication: onlyIf(trustsClients, {
    TruststoreUri: { Ref: 'TruststoreUri' },
    TruststoreVersion: onlyIf(pinsTruststore, { Ref: 'TruststoreVersion' }),
  }),
};

const certificates: Readonly<Record<Gateway, object>> = {
  Api: { Ref: 'DomainCertificateArn' },
  Hooks: { 'Fn::If': [hasHooksCertificate, { Ref: 'HooksCertificateArn' }, { Ref: 'DomainCertificateArn' }] },
};

const domainResources = (api: Gateway): Readonly<Record<string, Resource>> => {
  const { parameter, condition } = apis[api];
  return {
    [`${api}Domain`]: {
      Type: 'AWS::ApiGatewayV2::DomainName',
      Condition: condition,
      Properties: {
        DomainName: { Ref: parameter },
        DomainNameConfigurations: [
          { CertificateArn: certificates[api], EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
        ],
        ...(api === 'Api' && mutualTls),
      },
    },
    [`${api}Mapping`]: {
      Type: 'AWS::ApiGatewayV2::ApiMapping',
      Condition: condition,
      Properties: { DomainName: { Ref: `${api}Domain` }, ApiId: { Ref: api }, Stage: { Ref: `${api}Stage` } },
    },
  };
};

const domainOutputs = (api: Gateway): Readonly<Record<string, object>> => {
  const { parameter, condition } = apis[api];
  return {
    [`${api}Url`]: {
      Value: {
        'Fn::If': [
          condition,
          { 'Fn::Join': ['', ['https://', { Ref: parameter }]] },
          { 'Fn::GetAtt': [api, 'ApiEndpoint'] },
        ],
      },
    },
    // The DNS record of the domain points to it.
    [`${api}DomainTarget`]: { Condition: condition, Value: { 'Fn::GetAtt': [`${api}Domain`, 'RegionalDomainName'] } },
  };
};

/**
 * Returns the server of an API's definition. It closes the default address of an API with a domain, which would ask for
 * no client certificate. The gateway reads this setting from the definition, not from the resource with the definition.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-endpoint-configuration.html
 */
export const serversOf = (api: Gateway) => {
  const { parameter, condition } = apis[api];
  const url = { 'Fn::Join': ['', ['https://', { Ref: parameter }]] };
  return onlyIf(condition, [
    { url, 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } },
  ]);
};

/** Returns the domains of the APIs, with their certificates, mappings and addresses. */
export const domainTemplate = (offer: Offer): Required<Pick<TemplatePart, 'Conditions' | 'Resources' | 'Outputs'>> => ({
  Conditions: {
    NamesDomain: hasValue('DomainName'),
    [trustsClients]: hasValue('TruststoreUri'),
    [pinsTruststore]: hasValue('TruststoreVersion'),
    NamesHooksDomain: hasValue('HooksDomainName'),
    [hasHooksCertificate]: hasValue('HooksCertificateArn'),
  },
  Resources: { ...domainResources('Api'), ...(hasInbox(offer) && domainResources('Hooks')) },
  Outputs: { ...domainOutputs('Api'), ...(hasInbox(offer) && domainOutputs('Hooks')) },
});

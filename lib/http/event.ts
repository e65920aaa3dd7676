import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** A request as an HTTP API hands it to a function (payload format 2.0); the authorizer's part is checked where it is read. */
export type HttpEvent = Omit<APIGatewayProxyEventV2, 'requestContext'> & {
  readonly requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: { readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> } };
  };
};

export type HttpResponse = APIGatewayProxyStructuredResultV2;

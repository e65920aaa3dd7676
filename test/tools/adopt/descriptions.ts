/* Descriptions written by hand, small enough to be read. */

const lines = { type: 'array', items: { $ref: '#/components/schemas/Line' } };

const schemas = {
  Rma: {
    type: 'object',
    required: ['rmaNumber', 'status', 'orderId', 'createdAt', 'lines'],
    properties: {
      rmaNumber: { type: 'string' },
      status: { $ref: '#/components/schemas/RmaStatus' },
      orderId: { type: 'string' },
      createdAt: { type: 'string', format: 'date-time' },
      note: { type: 'string', nullable: true },
      lines,
    },
  },
  RmaStatus: { type: 'string', enum: ['OPEN', 'APPROVED', 'IN TRANSIT', 'DONE'] },
  Line: {
    type: 'object',
    required: ['lineNumber', 'quantity'],
    properties: {
      lineNumber: { type: 'integer' },
      quantity: { type: 'integer' },
      status: { type: 'string', enum: ['NEW'] },
    },
  },
  Page: {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: { $ref: '#/components/schemas/Rma' } },
      nextToken: { type: 'string' },
    },
  },
};

const json = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});
const answer = (name: string) => ({ responses: { '200': json(name), '404': {}, '409': {} } });
const id = { name: 'rmaNumber', in: 'path', required: true, schema: { type: 'string' } };
const query = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });

/** A service with a list, a single return, and commands of three kinds. */
export const acme = {
  openapi: '3.0.3',
  info: { title: 'Acme', version: '1' },
  servers: [{ url: 'https://{tenant}.acme.example/api/v2/' }],
  paths: {
    '/rmas': {
      get: { operationId: 'rmas', parameters: [query('nextToken'), query('limit')], ...answer('Page') },
      post: { requestBody: json('Rma'), ...answer('Rma') },
    },
    '/rmas/{rmaNumber}': { parameters: [id], get: answer('Rma') },
    '/rmas/{rmaNumber}/approve': { post: { parameters: [id], ...answer('Rma') } },
    '/rmas/{rmaNumber}/decline': {
      post: { parameters: [id], requestBody: json('Line'), responses: { '204': {} } },
    },
    '/rmas/{rmaNumber}/labels': { get: answer('Line') },
    '/orders/{orderId}': { get: answer('Line') },
  },
  components: {
    schemas,
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://id.acme.example/oauth/token', scopes: { 'rma.read': 'x' } } },
      },
    },
  },
};

/** The same service in the words of Swagger 2.0. */
export const acmeSwagger = {
  swagger: '2.0',
  basePath: '/api/v2',
  produces: ['application/vnd.acme+json'],
  paths: {
    '/rmas/{rmaNumber}': {
      get: {
        parameters: [{ name: 'rmaNumber', in: 'path', required: true, type: 'string' }],
        responses: { '200': { schema: { $ref: '#/definitions/Rma' } } },
      },
    },
    '/rmas': {
      post: {
        parameters: [{ name: 'body', in: 'body', schema: { $ref: '#/definitions/Rma' } }],
        responses: { '201': { schema: { $ref: '#/definitions/Rma' } } },
      },
    },
  },
  definitions: {
    Rma: { type: 'object', properties: { id: { type: 'string' }, state: { type: 'string', enum: ['A', 'B'] } } },
  },
};

const integer = { type: 'integer' };

/** A service with numbers for ids, states and times, whose paths have no known word for returns. */
export const numbered = {
  openapi: '3.0.3',
  servers: [{ url: 'https://acme.example/' }],
  paths: {
    '/sendbacks/{sendback_no}': { get: { responses: { '200': json('Sendback') } } },
  },
  components: {
    schemas: {
      Sendback: {
        type: 'object',
        required: ['sendback_no', 'phase', 'purchase_ref', 'opened_ts', 'lines'],
        properties: {
          sendback_no: integer,
          phase: { $ref: '#/components/schemas/Phase' },
          purchase_ref: { ...integer, nullable: true },
          opened_ts: { type: 'integer', format: 'int64' },
          lines,
        },
      },
      Phase: { type: 'integer', enum: [0, 10, 20] },
      Line: schemas.Line,
    },
  },
};

/** A service in YAML whose only call for commands says which one in its body. It has no operation ids. */
export const dispatchingYaml = `openapi: 3.1.0
paths:
  /returns/{returnId}:
    get:
      responses:
        "200":
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Return" }
  /returns/{returnId}/actions:
    post:
      requestBody:
        content:
          application/json:
            schema:
              oneOf:
                - type: object
                  properties: { action: { const: Approve } }
                - type: object
                  properties: { action: { enum: [Reject, Escalate] } }
      responses:
        "202": {}
components:
  schemas:
    Return:
      type: [object, "null"]
      properties:
        id: { type: integer }
        status: { type: [string, "null"] }
        parent: { $ref: "#/components/schemas/Return" }
`;

export const bytesOf = (description: unknown): Uint8Array =>
  new TextEncoder().encode(typeof description === 'string' ? description : JSON.stringify(description));

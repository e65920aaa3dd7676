import { join } from 'node:path';
import { asyncApi } from '../../contract/async-api.ts';
import { examplePrefix } from '../../contract/events/example-prefix.ts';
import { publishedApi } from './policy-document/published-api.ts';
import { environmentIn, rowsOf } from '../template/functions.ts';
import { defaultTimeout, type FunctionRow } from '../template/functions/function-row.ts';
import { callableOffer, clientContract, type Offer, offers, offersAll } from '../template/offer.ts';
import { observabilityEnvironment } from '../template/observability.ts';
import { referenceBundle } from './reference/bundle.ts';
import { statutoryRules } from '../../domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../domain/policies/terms/parse-terms.ts';
import { consoleForms, endpointPatterns, messageEvents, policyTerms, translatedHints } from './console-forms.ts';
import { bundleConsole } from './console.ts';
import { portugueseTexts } from './console-texts.ts';
import { clientTypes } from './client-types.ts';
import { hashFile, hashInputs } from './generated-hash.ts';
import { capitalised } from '../template/resources/cloudformation.ts';
import { evidenceCors } from '../template/resources/evidence-cors.ts';
import { templatePart } from '../template/resources/template-part.ts';
import { writeChanged } from '../command-line/files.ts';
import { layerRules } from './layers/layer-rules.ts';
import { functionFiles } from '../template/function-files.ts';
import { apiBody, hooksBody, operationLimits, operationRoutes, routeScopes } from '../template/gateway.ts';
import { webBody, webLimits } from '../template/web-gateway.ts';
import { agentTools } from './agent-tools.ts';
import { answerTypes, writeAnswerShapes, writeCoreShapes } from './answer-shapes.ts';
import { readTermsFiles, termsFolder, writeTermsFiles } from './terms-files.ts';
import { writeValidators } from './validators.ts';

const stanzaOf = (name: string, row: FunctionRow, offer: Offer) => {
  const { folder } = offer;
  return {
    handler: `dist/${folder}/${name}/index.handler`,
    role: `${capitalised(name)}Role`,
    package: { artifact: `dist/${folder}/${name}.zip` },
    timeout: row.timeout ?? defaultTimeout,
    environment: { ...observabilityEnvironment(row, offer), ...environmentIn(row, offer) },
    ...(row.condition !== undefined && { condition: row.condition }),
  };
};

/** Returns the functions of an offer, as `functions` of serverless.yml includes them. */
export const stanzas = (offer: Offer): Readonly<Record<string, object>> =>
  Object.fromEntries(rowsOf(offer).map(([name, row]) => [name, stanzaOf(name, row, offer)]));

/**
 * Compares the table of functions with the files under functions/.
 *
 * @param names the functions of the offer that have a file
 * @throws Error when a file has no row, or a row no file
 */
export const checkRows = (
  offer: Offer,
  names: readonly string[] = functionFiles(offer).map(({ name }) => name),
): void => {
  const rows = new Set(rowsOf(offer).map(([name]) => name));
  const missing = names.find((name) => !rows.has(name));
  if (missing !== undefined)
    throw new Error(`lib/tools/template/functions.ts has no row for ${missing} in the ${offer.mode} mode`);
  const idle = [...rows].find((name) => !names.includes(name));
  if (idle !== undefined)
    throw new Error(
      `lib/tools/template/functions.ts has a row for ${idle}, and no file under functions/ has that name`,
    );
};

/** Each deployment has its own; the document needs a placeholder. */
const tokenUrl = 'https://identity.example.com/connect/token';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Reads the files of terms, and checks each by the code of the cold start.
 *
 * @throws Error with the file, and the JSON Pointer of the first wrong field
 */
export const readCheckedTerms = (folder: string): ReadonlyMap<string, unknown> => {
  const files = readTermsFiles(folder);
  for (const [name, terms] of files) {
    try {
      parseTerms({ terms: defaultTerms, statutoryRules }, JSON.stringify(terms));
    } catch (error) {
      throw new Error(`${join(folder, name)}: ${error instanceof Error ? error.message : 'wrong'}`, { cause: error });
    }
  }
  return files;
};

/** Writes the parts of the template of an offer, which serverless.yml includes. */
const writeTemplate = async (folder: string, offer: Offer): Promise<void> => {
  checkRows(offer);
  const write = (name: string, content: unknown) =>
    writeChanged(join(folder, 'deploy', offer.folder, `${name}.json`), json(content));
  await write('functions', stanzas(offer));
  await write('api', apiBody(offer));
  await write('api-limits', operationLimits(offer));
  await write('web', webBody(offer));
  await write('web-limits', webLimits(offer));
  await write('resources', templatePart(offer));
};

/** Writes what follows from the contract of an offer: documents, validators and scopes for functions, types for callers. */
const writeContract = async (folder: string, offer: Offer): Promise<void> => {
  await writeChanged(join(folder, 'openapi.json'), json(publishedApi(tokenUrl, offer)));
  await writeChanged(join(folder, 'reference.json'), json(referenceBundle(offer)));
  await writeChanged(join(folder, 'route-scopes.json'), json(routeScopes(offer)));
  await writeChanged(
    join(folder, 'routes-not-offered.json'),
    json(operationRoutes().filter(({ name }) => !offersAll(offer, [name]))),
  );
  await writeChanged(join(folder, 'agent-tools.json'), json(agentTools(callableOffer(offer))));
  await writeValidators(join(folder, 'validators'), offer.entries);
  await writeChanged(join(folder, 'client.d.ts'), await clientTypes(callableOffer(offer)));
};

/**
 * Writes the files generated from lib/contract and lib/tools/deploy to a folder. These are the OpenAPI and AsyncAPI
 * documents, the validators, the shapes of answers and the types. Further files are the parts of the deployment that
 * serverless.yml includes, and the terms as one file. Files that are current stay unchanged.
 *
 * @throws Error when a file of terms is invalid, or the table of functions and the files in functions/ differ
 */
export const writeGenerated = async (folder: string, terms = termsFolder): Promise<void> => {
  // A source that changes from here on makes these files stale.
  const hash = hashInputs();
  await writeTermsFiles(folder, readCheckedTerms(terms));
  await writeContract(join(folder, 'contract'), offers.standalone);
  await writeChanged(join(folder, 'contract/asyncapi.json'), json(asyncApi(examplePrefix)));
  await writeChanged(join(folder, 'deploy/evidence-cors.json'), json(evidenceCors()));
  await writeChanged(join(folder, 'deploy/hooks.json'), json(hooksBody()));
  const forms = consoleForms();
  await writeChanged(join(folder, 'contract/console-forms.json'), json(forms));
  await writeChanged(join(folder, 'contract/console-hints.json'), json(translatedHints(forms)));
  await writeChanged(join(folder, 'contract/console-portuguese.json'), json(await portugueseTexts()));
  await writeChanged(join(folder, 'contract/console-policies.json'), json(policyTerms()));
  await writeChanged(join(folder, 'contract/console-events.json'), json(endpointPatterns()));
  await writeChanged(join(folder, 'contract/console-messages.json'), json(messageEvents()));
  await writeChanged(join(folder, 'contract/console.json'), json(await bundleConsole(folder)));
  await writeAnswerShapes(join(folder, 'contract'), offers.standalone.entries);
  await writeChanged(join(folder, 'contract/answers.d.ts'), answerTypes());
  for (const offer of Object.values(offers)) await writeTemplate(folder, offer);
  await writeChanged(join(folder, 'lint/layers.json'), json(layerRules()));
  await writeChanged(join(folder, hashFile), hash);
};

/** Writes the files of the deployment of an adapter, next to those of the whole contract. */
export const writeAdapter = async (folder: string, offer: Offer): Promise<void> => {
  const contract = join(folder, 'contract', offer.folder);
  await writeContract(contract, offer);
  await writeCoreShapes(contract, offer.entries);
  await writeAnswerShapes(join(contract, clientContract), offer.entries);
  await writeTemplate(folder, offer);
};

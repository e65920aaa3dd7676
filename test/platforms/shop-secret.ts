import { startSecretVersions } from '../support/secret-versions.ts';

/** The secret with the shops, which the test may replace, at a Secrets Manager of the test's own. Sets the environment. */
export const startShopSecret = async () => {
  let written = 0;
  const version = (shops: unknown) => ({ versionId: `version-${(written += 1)}`, text: JSON.stringify({ shops }) });
  const fake = await startSecretVersions(version({}));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: fake.server.origin,
    SHOPIFY_SECRET_ID: 'returns/shopify',
  });
  return {
    put: (shops: unknown) => void fake.versions.set('AWSCURRENT', version(shops)),
    reads: () => fake.reads(),
    close: () => fake[Symbol.asyncDispose](),
  };
};

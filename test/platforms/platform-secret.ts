import { plant } from '../support/emitted/record.ts';
import { secretsIn } from '../support/emitted/search.ts';
import { startSecretVersions } from '../support/secret-versions.ts';

/**
 * A platform's secret, whose sources the test may replace, at a Secrets Manager of the test's own. Sets the environment: what
 * is under test is imported after it.
 */
export const startPlatformSecret = async () => {
  let written = 0;
  const version = (sources: unknown) => {
    plant(secretsIn(sources));
    return { versionId: `version-${(written += 1)}`, text: JSON.stringify({ sources }) };
  };
  const fake = await startSecretVersions(version({}));
  process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = fake.server.origin;
  return {
    put: (sources: unknown) => void fake.versions.set('AWSCURRENT', version(sources)),
    reads: () => fake.reads(),
    close: () => fake[Symbol.asyncDispose](),
  };
};

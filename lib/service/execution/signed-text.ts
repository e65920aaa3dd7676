import { signingConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { secrets } from '../../access/secrets/source.ts';
import { createSigner } from './signer.ts';

const config = configured(signingConfig);

/** Signs and opens cursors and tokens, with the key of the deployment. */
export const { sign, openSigned } = createSigner(async (options) => secrets().read(config().signingSecretId, options));

import { checkDeployment } from '../../../lib/tools/deploy/check-deployment.ts';
import type { Stage } from '../../../lib/tools/deploy/stage-file.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';

export const templateOf = (mode: Mode) => packagedTemplate(mode);

/** The parameters without a default. */
export const required = {
  standalone: { TokenIssuer: 'https://id.example.com/realms/x', TokenAudience: 'https://returns.example.com' },
  connected: {
    TokenIssuer: 'https://id.example.com/realms/x',
    TokenAudience: 'https://returns.example.com',
    ServiceUrl: 'https://service.example.com',
    AuthUrl: 'https://id.example.com',
  },
} satisfies Readonly<Record<Mode, object>>;

/** Checks a valid stage with these changed parameters; undefined removes one. */
export const check = async (mode: Mode, changes: Readonly<Record<string, string | undefined>> = {}, name = 'prod') => {
  const provided: Readonly<Record<string, string | undefined>> = { ...required[mode], ...changes };
  const parameters = Object.fromEntries(
    Object.entries(provided).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const stage: Stage = { mode, region: 'eu-central-1', parameters };
  const checked = await checkDeployment(await templateOf(mode), name, stage);
  return checked.ok ? [] : checked.failure;
};

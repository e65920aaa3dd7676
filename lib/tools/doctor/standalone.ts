import { deploymentSettings } from '../../runtime/configuration/deployment-settings.ts';
import { type Part, unset } from './check.ts';
import { deploymentParts } from './checks/deployment.ts';
import type { DoctorInput } from './mode.ts';

const endpointsPart = (tableName: string | undefined, deployed: boolean): Part => ({
  name: 'webhook endpoints',
  run: async (underway) => {
    if (!tableName) return [unset('webhook endpoints', 'TABLE_NAME', deployed)];
    const { checkEndpoints } = await import('./checks/endpoints.ts');
    return checkEndpoints(underway);
  },
});

/** The parts of the standalone mode: the deployment, and its webhook endpoints. */
export const partsOf = ({ source, deployed }: DoctorInput): readonly Part[] => {
  const settings = deploymentSettings();
  return [
    ...deploymentParts({ mode: 'standalone', settings, deployed, source }),
    endpointsPart(settings.tableName, deployed),
  ];
};

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

const writeBackPart = (tableName: string | undefined, deployed: boolean): Part => ({
  name: 'write-back parked',
  run: async (underway) => {
    if (!tableName) return [unset('write-back parked', 'TABLE_NAME', deployed)];
    const { checkWriteBack } = await import('./checks/write-back.ts');
    return checkWriteBack(underway);
  },
});

/** The parts of the standalone mode: the deployment, its webhook endpoints, and what waits in write-back. */
export const partsOf = ({ source, deployed }: DoctorInput): readonly Part[] => {
  const settings = deploymentSettings();
  return [
    ...deploymentParts({ mode: 'standalone', settings, deployed, source }),
    endpointsPart(settings.tableName, deployed),
    writeBackPart(settings.tableName, deployed),
  ];
};

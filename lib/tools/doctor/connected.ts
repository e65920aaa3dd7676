import { deploymentSettings, serviceSettings } from '../../runtime/configuration/deployment-settings.ts';
import type { Part } from './check.ts';
import { accessPart } from './checks/access.ts';
import { deploymentParts } from './checks/deployment.ts';
import type { DoctorInput } from './mode.ts';

/** The parts of the connected mode: the access to the Returns Service, and the deployment. */
export const partsOf = ({ source, deployed }: DoctorInput): readonly Part[] => [
  accessPart({ settings: serviceSettings(), source }),
  ...deploymentParts({ mode: 'connected', settings: deploymentSettings(), deployed, source }),
];

import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { type Mode, modes } from './functions/function-row.ts';

/** What a deployment is: a mode, and the operations that it offers. */
export type Offer = {
  readonly mode: Mode;
  /** The name of its folders in dist/, dist/deploy/, dist/package/ and, for an adapter, dist/contract/. */
  readonly folder: string;
  /** The contract of the deployment. An operation that it does not offer is not in it. */
  readonly entries: Readonly<Record<string, OperationEntry>>;
  /** The kind of service that the connected mode speaks to. Absent for a service with our own contract. */
  readonly adapter?: AdapterOffer;
};

/** The folder that offers of adapters have below each folder of a build. */
export const adaptersFolder = 'adapters';

/** The word for a service with our own contract, in stage files and as a value of the parameter Adapter. */
export const ownAdapter = 'own';

/** What a template takes from an adapter. */
export type AdapterOffer = {
  readonly name: string;
  readonly title: string;
  /** Defaults of parameters of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

const wholeOffer = (mode: Mode): Offer => ({ mode, folder: mode, entries: contract });

/** The offers of the whole contract, by mode. */
export const offers = Object.fromEntries(modes.map((mode) => [mode, wholeOffer(mode)])) as Readonly<
  Record<Mode, Offer>
>;

/** Whether a deployment offers all of these operations. */
export const offersAll = ({ entries }: Offer, names: readonly string[]): boolean =>
  names.every((name) => Object.hasOwn(entries, name));

/** Returns an offer for its callers. An adapter rejects the header If-Match. */
export const callableOffer = (offer: Offer): Offer =>
  offer.adapter === undefined
    ? offer
    : {
        ...offer,
        entries: Object.fromEntries(
          Object.entries(offer.entries).map(([name, entry]) => [name, { ...entry, ifMatch: 'ignored' }]),
        ),
      };

/** Returns the folder of the client package of a deployment, in the root of a build. */
export const clientFolder = ({ adapter, folder }: Offer): string =>
  adapter === undefined ? 'dist/client' : `dist/${folder}/client`;

/** The folder, in that of an adapter's contract, of what only its client package contains. */
export const clientContract = 'client';

/*
 * ISO 4217 active codes by their exponent (list one, SIX Group, 2026). The runtime's Intl has the CLDR digits instead,
 * which are 0 for HUF, IDR, IQD and COP.
 */
const byExponent: readonly (readonly [number, string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
     COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
     JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
     NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
     THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  // Withdrawn since 2014, but still on returnable orders (list three).
  [0, 'BYR'],
  [2, 'ANG BGN CUC HRK LTL MRO SLL STD VEF ZWL'],
];

const exponents: ReadonlyMap<string, number> = new Map(
  byExponent.flatMap(([minorUnitExponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, minorUnitExponent]),
  ),
);

/** Returns the number of decimals of a currency's minor unit (ISO 4217); undefined for an unknown code. */
export const exponent = (currency: string): number | undefined => exponents.get(currency);

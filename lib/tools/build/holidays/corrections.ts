/**
 * A correction of the library for a state, or for a region as a state and the codes that shops write for it. `add` and
 * `remove` are marks, as lib/domain/policies/time/holidays.ts explains them.
 */
export type Correction = {
  readonly place: string;
  readonly add?: string;
  readonly remove?: string;
  /** The law, or what is wrong in the library. */
  readonly law: string;
};

/** Laws that put more days on a level with holidays, for the end of a period. */
const endOfPeriods: readonly Correction[] = [
  { place: 'AT', add: 'e-2', law: 'Europäisches Fristenübereinkommen, BGBl. Nr. 254/1983, Artikel 5: Good Friday' },
  { place: 'DK', add: '605 1224 1231', law: 'Forbrugeraftaleloven § 19, stk. 6' },
  { place: 'FI', add: '5/619 1224', law: 'Laki säädettyjen määräaikain laskemisesta (150/1930) 5 §' },
  { place: 'NL', add: 'e-2 505', law: 'Algemene termijnenwet, artikel 3, leden 1 en 2' },
  {
    place: 'NL',
    add: '260102 260515 270507 280428 280526',
    law:
      'Algemene termijnenwet, artikel 3, lid 3: Besluit gelijkstelling van 2 januari 2026, 15 mei 2026, 7 mei 2027, ' +
      '28 april 2028 en 26 mei 2028 met een algemeen erkende feestdag',
  },
  { place: 'SE', add: '5/619 1224 1231', law: 'Lag (1930:173) om beräkning av lagstadgad tid, 2 §' },
  {
    place: 'SK',
    add: '508 901 915 1028 1117',
    law: 'Zákon 241/1993 §§ 1, 2, and Občiansky zákonník § 122 ods. 3: a holiday counts also where people work on it',
  },
];

/** Holidays that the library lacks, or has on another day. */
const holidays: readonly Correction[] = [
  { place: 'BG', add: '1226', law: 'Labour Code, article 154(1)' },
  { place: 'BG', add: '260102', law: 'Decision of the Council of Ministers of 19 November 2025: the euro' },
  {
    place: 'CY',
    add: 'o-48 o2 o50 1224',
    remove: 'o-47',
    law: 'The holidays of the public service: Green Monday, Easter Tuesday, Kataklysmos, Christmas Eve',
  },
  { place: 'HU', add: '260102 260821 261224', law: '10/2025. (IV. 30.) NGM rendelet: days off for working Saturdays' },
  {
    place: 'IS',
    add: '4/419',
    law: 'Lög 88/1971, 6. gr.: the first day of summer is the first Thursday after April 18',
  },
  { place: 'LI', add: '202 319 815 1101', remove: 'e40 e61', law: 'The bridges of the library are no holidays' },
];

const regions: readonly Correction[] = [
  { place: 'IT 62 RM', add: '629', law: 'D.P.R. 792/1985: the patrons of Rome' },
  { place: 'PT 20', add: 'e50', law: 'Decreto Regional 13/80/A' },
  {
    place: 'PT 30',
    add: '402 701 1226',
    law: 'Decreto Regional 27/79/M; Decretos Legislativos Regionais 18/2002/M and 17/2024/M',
  },
];

/**
 * Spain: article 37(2) of the Estatuto de los Trabajadores moves a holiday of a Sunday to the Monday. Each community
 * publishes its days for one year. So the table has the customary ones of every year, and a day more costs no right.
 */
const spanish: readonly Correction[] = [
  { place: 'ES', add: '101+ 106+ 501+ 815+ 1012+ 1101+ 1206+ 1208+ 1225+', law: 'Real Decreto 2001/1983, artículo 45' },
  ...[
    ['AN AL CA CO GR H J MA SE', '228+ e-3'],
    ['AR HU TE Z', '423+ e-3'],
    ['AS O', '908+ e-3'],
    ['CB S', '728+ 915+ e-3'],
    // The Islamic feasts are those of the published calendars.
    ['CE', '613+ 805+ 902+ e-3 260527'],
    ['CL AV BU LE P SA SG SO VA ZA', '423+ e-3'],
    ['CM AB CR CU GU TO', '531+ e-3 e1 e60'],
    // The islands have one day each.
    ['CN GC TF', '202+ 530+ 805+ 907+ 908+ 915+ 918+ 924+ 1005+ e-3'],
    ['CT B GI L T', '611+ 624+ 911+ 924+ 1226+ e1'],
    ['EX BA CC', '908+ e-3'],
    ['GA C LU OR PO', '319+ 517+ 624+ 725+ e-3'],
    ['IB PM', '301+ 1226+ e-3 e1'],
    ['MC MU', '319+ 609+ e-3'],
    ['MD M', '319+ 502+ 725+ e-3'],
    ['ML', '908+ 917+ e-3 260320 260527 270309'],
    ['NC NA', '319+ 725+ 1203+ e-3 e1'],
    ['PV BI SS VI', '319+ 725+ e-3 e1'],
    ['RI LO', '609+ e-3 e1'],
    ['VC A CS V', '319+ 624+ 1009+ e1'],
  ].map(([codes, add]) => ({ place: `ES ${codes}`, add: `${add}`, law: 'The communities, by artículo 37(2)' })),
];

export const corrections: readonly Correction[] = [...endOfPeriods, ...holidays, ...regions, ...spanish];

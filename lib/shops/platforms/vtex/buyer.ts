import type { OrderFacts } from '../platform.ts';
import {
  clip,
  customerFacts,
  destinationFacts,
  objectOf,
  objectsOf,
  optional,
  platformId,
} from '../shared/fields/fields.ts';
import { moneyOf } from './numbers.ts';
import type { Order } from './order.ts';

/* ISO 3166-1 codes, three letters and two. VTEX writes the former, and the runtime's Intl has only the latter. */
const codes = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE
  BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW
  CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY
  CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR
  FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU
  GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE
  JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT
  LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ
  MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ
  OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU
  RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK
  SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV
  TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA
  ZMBZM ZWEZW`;

const twoLetters: ReadonlyMap<string, string> = new Map(
  codes
    .trim()
    .split(/\s+/)
    .map((code): [string, string] => [code.slice(0, 3), code.slice(3)]),
);

/** Returns the two-letter code of a country with a three-letter or two-letter code. */
export const countryOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const code = value.trim().toUpperCase();
  return twoLetters.get(code) ?? (code.length === 2 && [...twoLetters.values()].includes(code) ? code : undefined);
};

/** Whether an address is an alias by which VTEX forwards mail. Each order has another, so it identifies no customer. */
const isAlias = (email: string): boolean => /ct\.vtex\.com\.br$/i.test(email);

/** Returns the buyer, and whether the buyer is a consumer. */
export const buyerOf = ({ fields }: Order): Pick<OrderFacts, 'customer' | 'buyerIsConsumer'> => {
  const profile = objectOf(fields['clientProfileData']);
  const { isCorporate, userProfileId: id, firstName, lastName } = profile;
  const email = clip(profile['email'], 320);
  const customer = customerFacts({
    id: platformId(clip(id, 200)),
    email: email !== undefined && isAlias(email) ? undefined : email,
    names: [firstName, lastName],
  });
  return {
    ...optional('customer', customer),
    ...(typeof isCorporate === 'boolean' && { buyerIsConsumer: !isCorporate }),
  };
};

/** Returns the destination; VTEX uses three-letter country codes. */
export const destinationOf = ({ fields }: Order): OrderFacts['destination'] => {
  const { country, state } = objectOf(objectOf(fields['shippingData'])['address']);
  return destinationFacts(countryOf(country), state);
};

/** Returns the payments of the active transactions. */
export const paymentFacts = ({ fields, currency }: Order): OrderFacts['payments'] => {
  const payments = objectsOf(objectOf(fields['paymentData'])['transactions'])
    .filter(({ isActive }) => isActive !== false)
    .flatMap((transaction) => objectsOf(transaction['payments']))
    .flatMap((payment) => {
      const id = platformId(clip(payment['id'], 200));
      const method = clip(payment['group'], 100) ?? clip(payment['paymentSystemName'], 100);
      const paid = moneyOf(payment['value'], currency);
      const isComplete = id !== undefined && method !== undefined && paid !== undefined;
      return isComplete ? [{ id, method, paid }] : [];
    });
  return payments.length === 0 ? undefined : payments.slice(0, 50);
};

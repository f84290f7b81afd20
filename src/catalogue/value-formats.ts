import type { FieldFormat, PathParam } from './types.js';

/** The fault of a value for a format, with what to write instead; undefined for a valid one. */
export function formatFault(format: FieldFormat, text: string): string | undefined {
  return RULES[format](text);
}

type Rule = (text: string) => string | undefined;

const expect =
  (holds: (text: string) => boolean, message: string): Rule =>
  (text) =>
    holds(text) ? undefined : message;

const RULES: Readonly<Record<FieldFormat, Rule>> = {
  id: idFault,
  email: expect(isEmail, 'is not an e-mail address'),
  'date-time': expect(isDateTime, 'is not a date and time such as 2026-01-31T10:00:00Z'),
  unix: expect((text) => /^\d{1,12}$/.test(text), 'is not a time in unix seconds'),
  country: (text) =>
    isCountry(text) ? undefined : `is not a country by its three letters of ISO 3166-1${countryHint(text)}`,
  currency: (text) =>
    isCurrency(text) ? undefined : `is not a currency of ISO 4217${capitals(text, isCurrency, 'USD')}`,
  url: expect(isUrl, 'is not a web address that begins with https:// or http://'),
  ipv4: expect(isIpv4, 'is not a single IPv4 address such as 203.0.113.7'),
  timezone: expect(isTimezone, 'is not an IANA time zone such as Europe/Berlin'),
  cron: expect(isCronForm, 'is not a cron expression of five parts such as "0 6 * * 1"'),
  digits: expect((text) => /^\d+$/.test(text), 'may hold digits only'),
  code: (text) => {
    const plain = text.normalize('NFD').replaceAll(/[^A-Za-z0-9]/g, '');
    const instead = plain === '' ? '' : ` (write ${plain})`;
    return plain === text ? undefined : `takes letters and digits without spaces or signs${instead}`;
  },
};

function countryHint(text: string): string {
  const meant = countryMeant(text);
  return meant === undefined ? capitals(text, isCountry, 'USA') : ` (${text.trim()} is ${meant})`;
}

function capitals(text: string, known: (code: string) => boolean, example: string): string {
  const upper = text.toUpperCase();
  return known(upper) ? ` (write ${upper})` : ` (such as ${example})`;
}

/**
 * An identifier is exactly 20 characters (service.md#conventions). The service does not say which, so any printable
 * character is allowed except spaces and slashes, which are never part of one and would change the path.
 */
export function idFault(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text) || /[/\\]/.test(text)) return 'contains a character that no id has';
  if (text.length !== 20) return `is not an id: 20 characters are expected, these are ${text.length}`;
  return undefined;
}

/**
 * True for a word that can only be an id: 20 characters that ids are made of (service.md#conventions), which are never
 * read as a name. No id contains an `@`.
 */
export function looksLikeId(word: string): boolean {
  return idFault(word) === undefined && !word.includes('@');
}

/** A simple check of an e-mail address: one `@`, no spaces, a domain of dotted labels. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > 254 || local.length > 64) return false;
  if (/[\s\u0000-\u001f\u007f<>()[\],;:"\\@]/.test(local) || local.startsWith('.') || local.endsWith('.')) return false;
  if (local.includes('..')) return false;
  return /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(
    domain,
  );
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/;

function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60;
}

function isUrl(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false;
  return URL.canParse(text);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** An IANA name that this runtime knows; offsets such as `+02:00` do not count. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Five fields of cron characters; the schedule check decides whether they make sense. */
export function isCronForm(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  return parts.length === 5 && parts.every((part) => /^[\dA-Za-z*,/?#-]+$/.test(part));
}

/** The fault of a path placeholder's value; undefined for a valid one. */
export function parameterFault(kind: PathParam, value: string): string | undefined {
  if (value === '') return 'is empty';
  if (kind === 'id') return idFault(value);
  if (kind === 'key') {
    if (value.length < 2 || value.length > 100) return 'is not a key: 2 to 100 characters are expected';
    if (!/^[a-zA-Z]+(?:_[a-zA-Z]+)*$/.test(value)) return 'is not a key: letters with single underscores between them';
    return undefined;
  }
  const sane = /^[A-Za-z0-9_$-][A-Za-z0-9_.$-]{0,254}$/.test(value);
  return sane ? undefined : 'is not a table name: letters, digits, underscores, dots and dashes are expected';
}

/** ISO 3166-1 alpha-3 country codes, in alphabetical order. */
const COUNTRY_TEXT = `
ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM BLR
BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP
CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB
GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN
KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD
MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN
PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM
SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR
UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE`;

/** Two-letter codes of the same countries, in the same order. */
const SHORT_TEXT = `
AW AF AO AI AX AL AD AE AR AM AS AQ TF AG AU AT AZ BI BE BJ BQ BF BD BG BH BS BA BL BY BZ BM BO BR BB BN BT BV BW CF
CA CC CH CL CN CI CM CD CG CK CO KM CV CR CU CW CX KY CY CZ DE DJ DM DK DO DZ EC EG ER EH ES EE ET FI FJ FK FR FO FM
GA GB GE GG GH GI GN GP GM GW GQ GR GD GL GT GF GU GY HK HM HN HR HT HU ID IM IN IO IE IR IQ IS IL IT JM JE JO JP KZ
KE KG KH KI KN KR KW LA LB LR LY LC LI LK LS LT LU LV MO MF MA MC MD MG MV MX MH MK ML MT MM ME MN MP MZ MR MS MQ MU
MW MY YT NA NC NE NF NG NI NU NL NO NP NR NZ OM PK PA PN PE PH PW PG PL PR KP PT PY PS PF QA RE RO RU RW SA SD SN SG
GS SH SJ SB SL SV SM SO PM RS SS ST SR SK SI SE SZ SX SC SY TC TD TG TH TJ TK TM TL TO TT TN TR TV TW TZ UG UA UM UY
US UZ VA VC VE VG VI VN VU WF WS YE ZA ZM ZW`;

/** ISO 4217 codes of current currencies, and the few recently replaced that old records still use. */
const CURRENCY_TEXT = `
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ
GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL
LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT
XSU XTS XUA XXX YER ZAR ZMW ZWG ZWL`;

/** Whether a list of codes contains one: three letters can only match a whole code there. */
const has = (codes: string, code: string): boolean => /^[A-Z]{3}$/.test(code) && codes.includes(code);

/** True for an ISO 3166-1 alpha-3 code in upper case (`USA`). */
export function isCountry(code: string): boolean {
  return has(COUNTRY_TEXT, code);
}

/** True for an ISO 4217 code in upper case (`USD`). */
export function isCurrency(code: string): boolean {
  return has(CURRENCY_TEXT, code);
}

/** The alpha-3 code for a country's two letters (`DE`, `UK`) or English name; undefined for any other text. */
export function countryMeant(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  const codes = SHORT_TEXT.trim().split(/\s+/);
  const names = (['long', 'short'] as const).map((style) => new Intl.DisplayNames('en', { type: 'region', style }));
  const isCalled = (code: string) => names.some((each) => each.of(code)?.toLowerCase() === word);
  const short = /^[a-z]{2}$/.test(word) ? new Intl.Locale(`und-${word}`).region : codes.find(isCalled);
  return COUNTRY_TEXT.trim().split(/\s+/)[codes.indexOf(short ?? '')];
}

/** The alpha-3 code for a text in other letter case, or for a two-letter code or a name. */
export function countryCode(text: string): string | undefined {
  const upper = text.trim().toUpperCase();
  return isCountry(upper) ? upper : countryMeant(text);
}

/** Members of the European Union since 2020, without its overseas countries, which have codes of their own. */
const UNION =
  'AUT,BEL,BGR,CYP,CZE,DEU,DNK,ESP,EST,FIN,FRA,GRC,HRV,HUN,IRL,ITA,LTU,LUX,LVA,MLT,NLD,POL,PRT,ROU,SVK,SVN,SWE';

/** What to write instead of a word for several countries; undefined for any other text. */
export function severalCountries(text: string, field: string): string | undefined {
  const word = text.trim().toLowerCase().replaceAll('.', '');
  if (word === 'eu' || word === 'european union')
    return `EU is no country but several: name those that count for you. Its members since 2020: ${field}=${UNION}`;
  const isPart = /^(?:(?:north|south|latin|central) america|europe|eea|asia|africa|oceania|emea|apac|latam|dach)$/.test(
    word,
  );
  return isPart ? `Name each country that counts for you: ${field}=DEU,FRA` : undefined;
}

/** A metadata filter value that matches every item that has the name (service.md#lists). */
export const METADATA_NAME_EXISTS = 'METADATA_NAME_EXISTS';

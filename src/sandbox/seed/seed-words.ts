export const FIRST_NAMES: readonly string[] = [
  ...['Ada', 'Ben', 'Chloé', 'Diego', 'Emma', 'Farid', 'Grace', 'Hiro', 'Ines', 'Jonas', 'Katarzyna'],
  ...['Liam', 'Maya', 'Noah', 'Olivia', 'Pedro', 'Quinn', 'Rosa', 'Sofia', 'Tom', 'Uma', 'Victor', 'Wendy'],
  ...['Xavier', 'Yuki', 'Zoë', 'Jane', 'Björn'],
];

export const LAST_NAMES: readonly string[] = [
  ...['Smith', 'Garcia', 'Müller', 'Tanaka', 'O’Brien', 'Kowalski', 'Rossi', 'Novak', 'Silva', 'Johnson'],
  ...['Dubois', 'Larsen', 'Nguyen', 'Haddad', 'Brown', 'Lopez', 'Ivanova', 'Jensen', 'Okafor', 'Patel'],
  ...['Wright', 'Costa', 'Meyer', 'Young'],
];

/** Names that break programs: a straight apostrophe, spaces, hyphens, letters outside Latin-1. */
export const RARE_NAMES = [
  "D'Angelo",
  "O'Connor",
  'van der Berg',
  'Smith-Jones',
  'Ødegård',
  'Łukasik',
  'Núñez',
] as const;

/** Endings of company names, after a person's last name. */
export const COMPANIES: readonly ((name: string) => string)[] = [
  (name) => `${name} & Sons`,
  (name) => `Café ${name}, Ltd.`,
  (name) => `"${name}" Goods`,
  (name) => `${name}'s Garage`,
  (name) => `${name} GmbH`,
];

/** Ways to write the last seven digits of a telephone number. */
export const PHONES: Readonly<Record<string, readonly ((digits: string) => string)[]>> = {
  USA: [
    (digits) => `+1555${digits}`,
    (digits) => `(555) ${digits.slice(0, 3)}-${digits.slice(3)}`,
    (digits) => `555-${digits.slice(0, 3)}-${digits.slice(3)}`,
    (digits) => `555.${digits.slice(0, 3)}.${digits.slice(3)}`,
    (digits) => `1 555 ${digits.slice(0, 3)} ${digits.slice(3)} ext. 12`,
  ],
  GBR: [
    (digits) => `+44 161 ${digits.slice(0, 3)} ${digits.slice(3)}`,
    (digits) => `0161 ${digits.slice(0, 3)} ${digits.slice(3)}`,
    (digits) => `+44161${digits}`,
  ],
};

export const STREETS = [
  'Oak Street',
  'Maple Avenue',
  'Park Road',
  'Lake Drive',
  'Hill Lane',
  'Station Road',
  'Mill Way',
] as const;

/** City, state, first digits of the ZIP, country. */
export const PLACES = [
  ['Austin', 'TX', '787', 'USA'],
  ['Portland', 'OR', '972', 'USA'],
  ['Chicago', 'IL', '606', 'USA'],
  ['Denver', 'CO', '802', 'USA'],
  ['Miami', 'FL', '331', 'USA'],
  ['Boston', 'MA', '021', 'USA'],
  ['Toronto', 'ON', 'M5V', 'CAN'],
  ['Manchester', '', 'M1 ', 'GBR'],
] as const;

/** Name, price in cents, renewal price, profile (0 monthly, 1 weekly, 2 quarterly, 3 six times only) or none, trial days, shippable. */
export const PRODUCTS = [
  { name: 'Coffee Club', price: 1995, renewal: 1995, profile: 0, trial: 0, ships: true },
  { name: 'Weekly Tea Box', price: 1250, renewal: 1250, profile: 1, trial: 0, ships: true },
  { name: 'Streaming Plus', price: 999, renewal: 999, profile: 0, trial: 14, ships: false },
  { name: 'Vitamin Plan', price: 2990, renewal: 2790, profile: 1, trial: 0, ships: true },
  { name: 'Quarterly Crate', price: 7450, renewal: 6950, profile: 2, trial: 0, ships: true },
  { name: 'Course, six parts', price: 4900, renewal: 4900, profile: 3, trial: 7, ships: false },
  { name: 'Ceramic Mug', price: 1450, renewal: 0, profile: -1, trial: 0, ships: true },
  { name: 'Brew Scale', price: 3899, renewal: 0, profile: -1, trial: 0, ships: true },
  { name: 'Gift Card', price: 2500, renewal: 0, profile: -1, trial: 0, ships: false },
  { name: 'Trial Sampler', price: 1990, renewal: 0, profile: -1, trial: 10, ships: true },
] as const;

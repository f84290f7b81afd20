/** Value of a metadata filter that matches every item which carries the name (spec 4.1). */
export const METADATA_NAME_EXISTS = 'METADATA_NAME_EXISTS';

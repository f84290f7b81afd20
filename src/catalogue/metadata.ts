/** Value of a metadata filter that matches every item which carries the name (service.md#lists). */
export const METADATA_NAME_EXISTS = 'METADATA_NAME_EXISTS';

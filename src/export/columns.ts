/** Name of the column that takes what no other column takes, as one JSON object by dotted path. */
export const OTHER = '_other';

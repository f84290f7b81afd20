import { usage } from '../errors/errors.js';
import { didYouMean } from '../errors/nearest.js';
import { FORMATS, type Format } from './formats.js';

/**
 * The output format: what was asked for (flag, `COPS_OUTPUT` or profile; already in that order), else a table on
 * a terminal and JSON anywhere else.
 *
 * @throws CopsError of kind `usage` for a word that is no format
 */
export function chooseFormat(asked: string | undefined, isTty: boolean): Format {
  if (asked === undefined || asked === '') return isTty ? 'table' : 'json';
  const format = FORMATS.find((known) => known === asked.toLowerCase());
  if (format === undefined) {
    const file = /^(?:xlsx|excel|parquet|sqlite)$/i.test(asked)
      ? ' Such a file is made by: cops export <list> --out <file>.'
      : '';
    throw usage(
      `"${asked}" is not an output format.${didYouMean(asked, FORMATS)}`,
      `Formats: ${FORMATS.join(', ')}.${file}`,
    );
  }
  return format;
}

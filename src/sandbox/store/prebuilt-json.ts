/** A JSON text whose middle consists of bytes straight from the database, so that nobody has to decode them. */
export class PrebuiltJson {
  constructor(
    readonly before: string,
    readonly bytes: Uint8Array,
    readonly after: string,
  ) {}

  toBuffer(): Buffer {
    return Buffer.concat([Buffer.from(this.before), this.bytes, Buffer.from(this.after)]);
  }
}

/** The bytes of an answer's body. */
export function bodyBytes(body: string | PrebuiltJson): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body.toBuffer();
}

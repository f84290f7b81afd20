/** One HTTP request to the service, ready to be sent: nothing is added to it but the key and fixed headers. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Path below the base URL, encoded, beginning with `/`. */
  readonly path: string;
  /** Query parameters in order; a name may repeat (service.md#lists). */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The exact JSON text of a POST. */
  readonly body?: string;
  /** Headers that the line itself asks for, by names in small letters; those of the program win over them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back, whole. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How far a request got without an answer: `not_sent` proves that the service cannot have acted, `lost` does not. */
export type LossStage = 'not_sent' | 'lost';

/** Thrown by a transport when there is no whole answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    readonly stage: LossStage,
    /** `ECONNREFUSED`, `TIMEOUT`, `ECONNRESET`, ... */
    readonly reason: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** What a connection is secured with beside what this machine trusts, in PEM. */
export interface TlsMaterial {
  /** Authorities that are trusted in the place of those of this machine. */
  readonly ca?: string | undefined;
  /** The own certificate and its private key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One way to the service: over the network (`http/`), or the embedded sandbox. It never retries. */
export interface Transport {
  send(request: ServiceRequest, options: SendOptions): Promise<Reply>;
  close(): Promise<void>;
}

export interface SendOptions {
  /** Longest wait for the whole answer, milliseconds. */
  readonly timeoutMs: number;
  /** Which attempt of the same request it is, from 1; for logs. */
  readonly attempt?: number;
  /** No other request is likely to follow: the connection need not be kept. */
  readonly isOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** The fields that answers have in common (service.md#envelopes, service.md#errors); all others are there as they came. */
export interface Envelope {
  /** 1 for success, 0 and 2 to 5 for errors. */
  readonly code: number;
  readonly api_call_id?: string | null;
  readonly api_call_unix?: number;
  readonly error_code?: string;
  readonly message?: string;
  readonly result?: unknown;
  readonly [field: string]: unknown;
}

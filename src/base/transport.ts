/** One HTTP request to the service, ready to send: a transport adds only the key and fixed headers. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Encoded path below the base URL, starting with `/`. */
  readonly path: string;
  /** Query parameters in order; a name may repeat (service.md#lists). */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The exact JSON text of a POST. */
  readonly body?: string;
  /** Headers set on the command line, with lower-case names; the program's own headers override them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A complete answer. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How far an unanswered request got: `not_sent` proves that the service cannot have acted, `lost` does not. */
export type LossStage = 'not_sent' | 'lost';

/** Thrown by a transport when there is no complete answer. */
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

/** What secures a connection besides the authorities this machine trusts, in PEM. */
export interface TlsMaterial {
  /** Trusted authorities, instead of those of this machine. */
  readonly ca?: string | undefined;
  /** Our own certificate and its private key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** A way to reach the service: over the network (`http/`), or the embedded sandbox. Never retries. */
export interface Transport {
  send(request: ServiceRequest, options: SendOptions): Promise<Reply>;
  close(): Promise<void>;
  /** When its oldest customer or sale was created, unix seconds; undefined if finding out would take requests. */
  oldest?(): number | undefined;
  /** When an item last changed, unix seconds, whoever changed it; undefined if nobody knows. */
  changed?(): number | undefined;
}

export interface SendOptions {
  /** Longest wait for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Which attempt at the same request this is, from 1; for logs. */
  readonly attempt?: number;
  /** No further request is likely, so the connection need not be kept open. */
  readonly isOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * The fields that all answers share (service.md#envelopes, service.md#errors); all others are passed through unchanged.
 */
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

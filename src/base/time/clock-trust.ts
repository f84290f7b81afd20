/** A service's clock that differs from ours by more than this is taken for wrong, seconds. */
export const CLOCK_TRUST_S = 900;

/**
 * Grows the heap in small steps: by default, V8 lets garbage of several times the live size build up before it
 * collects.
 */
export const SMALL_HEAP = ['--heap-growing-percent=30', '--max-semi-space-size=4', '--semi-space-growth-factor=1'];
/**
 * Optimising a function takes a thread about as long as reading thousands of items: only code that stays hot benefits.
 */
export const HOT_ONLY = '--interrupt-budget=600000';

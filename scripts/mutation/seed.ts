/** Loaded before the tests of a mutant: makes generated cases, and so the score, reproducible. */
import fc from 'fast-check';

// One failure is enough: the smallest failing case is not needed.
fc.configureGlobal({ seed: 1, endOnFailure: true });

/** Loaded before the tests of a broken program: generated cases are the same every time, and so is the score. */
import fc from 'fast-check';

// One that fails is enough: nobody reads the smallest case that fails.
fc.configureGlobal({ seed: 1, endOnFailure: true });

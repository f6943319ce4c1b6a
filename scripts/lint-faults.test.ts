/** The release stops at every error and at every warning that is ours. */
import { expect, test } from 'vitest';
import { lintFaults } from './lint-faults';

const android = {
  _type: 'warning',
  code: 'KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION',
  message: 'm',
  description: 'data_collection_permissions',
  file: 'manifest.json',
};
const preact = {
  _type: 'warning',
  code: 'UNSAFE_VAR_ASSIGNMENT',
  message: 'Unsafe assignment to innerHTML',
  file: 'assets/panel.js',
  line: 1,
};
const report = (errors: readonly object[], warnings: readonly object[]): string => JSON.stringify({ errors, warnings });

test('accepted warnings pass, each as often as is known', () => {
  expect(lintFaults(report([], [android, preact]))).toEqual([]);
  expect(lintFaults(report([], [preact, { ...preact, file: 'assets/ours.js' }]))).toEqual([
    'warning UNSAFE_VAR_ASSIGNMENT: Unsafe assignment to innerHTML (assets/ours.js:1)',
  ]);
});

test('an error is never accepted, nor any other warning', () => {
  expect(lintFaults(report([{ ...android, _type: 'error' }], []))).toHaveLength(1);
  expect(lintFaults(report([], [{ _type: 'warning', code: 'DANGEROUS_EVAL', message: 'eval' }]))).toEqual([
    'warning DANGEROUS_EVAL: eval (no file)',
  ]);
});

test('a report that says nothing is a fault', () => {
  expect(lintFaults('')).toHaveLength(1);
  expect(lintFaults('{}')).toHaveLength(1);
});

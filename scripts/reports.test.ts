import { describe, expect, it } from 'vitest';
import { playwrightTally, vitestTally } from './reports';

describe('what the test runners report', () => {
  it('names each of Vitest’s tests that did not pass, and counts what was skipped as failed', () => {
    const report = {
      numTotalTests: 3,
      numPassedTests: 1,
      numFailedTestSuites: 1,
      testResults: [
        {
          name: '/home/me/unsettled/src/a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { fullName: 'a works', status: 'passed', failureMessages: [] },
            {
              fullName: 'a holds',
              status: 'failed',
              failureMessages: ['\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n    at a.test.ts:3'],
            },
            { fullName: 'a waits', status: 'skipped', failureMessages: [] },
          ],
        },
        { name: '/home/me/unsettled/src/b.test.ts', status: 'failed', message: '\nError: no such module\n', assertionResults: [] },
      ],
    };
    expect(vitestTally(report, '/home/me/unsettled')).toEqual({
      passed: 1,
      failed: 2,
      names: [
        'src/a.test.ts: a holds: AssertionError: expected 1 to be 2',
        'src/a.test.ts: a waits: skipped',
        'src/b.test.ts: Error: no such module',
      ],
    });
  });

  it('names each of Playwright’s tests that did not pass at once, in suites within suites, and errors outside of tests', () => {
    const spec = (title: string, status: string, ...errors: { message: string; location?: { line: number } }[]) => ({
      title,
      tests: [{ status, results: errors.length === 0 ? [] : [{ errors }] }],
    });
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 1 },
      suites: [
        {
          file: 'panel/panel.spec.ts',
          specs: [
            spec('opens', 'expected'),
            spec('closes', 'flaky', { message: 'Test timeout.' }, { message: 'Error: too late', location: { line: 7 } }),
          ],
          suites: [
            {
              file: 'panel/panel.spec.ts',
              specs: [spec('fits', 'unexpected', { message: '\n\u001b[2mexpect(\u001b[22m1).toBe(2)\n' }), spec('waits', 'skipped')],
            },
          ],
        },
      ],
      errors: [{ message: 'No tests found' }],
    };
    expect(playwrightTally(report)).toEqual({
      passed: 1,
      failed: 3,
      names: [
        'panel/panel.spec.ts: fits: expect(1).toBe(2)',
        'panel/panel.spec.ts: waits: skipped',
        'panel/panel.spec.ts: closes: Test timeout.; Error: too late (line 7)',
        'No tests found',
      ],
    });
  });
});

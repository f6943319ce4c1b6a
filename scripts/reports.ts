/** Reads what Vitest and Playwright say of a run (their JSON reports): how many passed, and of what failed the name and the reason. */

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Of each test that failed: where it is, its name, and the first line of what it said. */
  readonly names?: readonly string[];
}

/** The first line with words, without colours. */
const firstLine = (text: string): string => (text.replaceAll(/\u001b\[[\d;]*m/gu, '').match(/\S.*/u)?.[0] ?? '').slice(0, 300);

export interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTestSuites: number;
  /** One a file; `name` is its path. */
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Skipped and to-do tests count as failed: this project has none. */
export const vitestTally = (report: VitestReport, root: string): Tally => ({
  passed: report.numPassedTests,
  failed: Math.max(report.numTotalTests - report.numPassedTests, report.numFailedTestSuites > 0 ? 1 : 0),
  names: report.testResults.flatMap((file) => {
    const where = file.name.replace(`${root}/`, '');
    const missed = file.assertionResults.filter(({ status }) => status !== 'passed');
    // A file that did not load has no tests to name.
    if (missed.length === 0) return file.status === 'passed' ? [] : [`${where}: ${firstLine(file.message)}`];
    return missed.map((test) => `${where}: ${test.fullName}: ${firstLine(test.failureMessages[0] ?? test.status)}`);
  }),
});

interface PlaywrightError {
  readonly message?: string;
  readonly location?: { readonly line: number };
}

interface PlaywrightSuite {
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly results: readonly { readonly errors?: readonly PlaywrightError[] }[] }[];
  }[];
}

export interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

/** Of a time that ran out, the second error says what was waited for, and where. */
const told = ({ message, location }: PlaywrightError): string =>
  `${firstLine(message ?? '')}${location === undefined ? '' : ` (line ${location.line})`}`;

/** A test that was skipped, or passed only on a second try, counts as failed. */
export const playwrightTally = ({ stats, suites, errors }: PlaywrightReport): Tally => {
  const missedIn = (suite: PlaywrightSuite): string[] => [
    ...(suite.suites ?? []).flatMap(missedIn),
    ...suite.specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status !== 'expected')
        .map(({ status, results }) => `${suite.file}: ${title}: ${results[0]?.errors?.map(told).join('; ') ?? status}`),
    ),
  ];
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
    names: [...suites.flatMap(missedIn), ...errors.map(({ message }) => firstLine(message ?? ''))],
  };
};

/**
 * What counts of the report of Mozilla's linter: every error, and every warning but those listed here with their reason.
 */

interface Message {
  readonly _type: string;
  readonly code: string;
  readonly message: string;
  readonly description?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Warnings that are not ours to mend: code, a part of the message, how many at most, and why it stands. */
export const ACCEPTED: readonly { readonly code: string; readonly about: string; readonly most: number; readonly why: string }[] = [
  {
    code: 'KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION',
    about: 'data_collection_permissions',
    most: 1,
    why: 'Firefox for Android has no developer tools; the extension is listed for desktop only',
  },
  {
    code: 'UNSAFE_VAR_ASSIGNMENT',
    about: 'innerHTML',
    most: 1,
    why: "Preact's own `dangerouslySetInnerHTML`, which nothing here uses: src/architecture.test.ts holds that",
  },
];

/** The faults in a report (`web-ext lint --output=json`), in words. */
export const lintFaults = (report: string): string[] => {
  let parsed: { errors?: readonly Message[]; warnings?: readonly Message[] };
  try {
    parsed = JSON.parse(report) as typeof parsed;
  } catch {
    return [`the linter's report cannot be read: ${report.slice(0, 200)}`];
  }
  if (!Array.isArray(parsed.errors) || !Array.isArray(parsed.warnings)) return ["the linter's report has no errors and warnings"];
  const left = ACCEPTED.map(({ most }) => most);
  const accepted = ({ code, message, description = '' }: Message): boolean => {
    const which = ACCEPTED.findIndex((each) => each.code === code && `${message} ${description}`.includes(each.about));
    return which >= 0 && left[which]!-- > 0;
  };
  return [...parsed.errors, ...(parsed.warnings as readonly Message[]).filter((each) => !accepted(each))].map(
    ({ _type, code, message, file, line }) => `${_type} ${code}: ${message} (${file ?? 'no file'}${line === undefined ? '' : `:${line}`})`,
  );
};

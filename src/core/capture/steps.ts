/** Work that may be done in steps, done in one go: what it comes to. */
export const outcomeOf = <T>(steps: Iterator<unknown, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

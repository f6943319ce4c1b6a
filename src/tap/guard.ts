/**
 * The only try/catch idiom of the tap: whatever goes wrong in our own work is counted, recorded as a gap and kept from the
 * page. After three faults a transport goes quiet for good: its wrappers stay and pass everything through.
 */

const MOST_FAULTS = 3;

export interface Guard {
  /** True once the transport has faulted too often. Wrappers then do nothing but call through. */
  quiet(): boolean;
  /**
   * The result of our own work, or undefined where it failed. Never wraps a call that belongs to the page. Works while quiet
   * too: bodies that the page already reads through us must go on.
   */
  <T>(work: () => T): T | undefined;
  /** The same, unless quiet. */
  awake(work: () => void): void;
}

/** A guard for one transport. `fault` is told of each fault. */
export const createGuard = (fault: () => void): Guard => {
  let faults = 0;
  const guard = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch {
      if (faults++ < MOST_FAULTS) fault();
      return undefined;
    }
  };
  guard.quiet = (): boolean => faults >= MOST_FAULTS;
  guard.awake = (work: () => void): void => {
    if (!guard.quiet()) guard(work);
  };
  return guard;
};

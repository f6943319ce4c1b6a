/** The page's own word by performance marks: `unsettled:working` and `unsettled:final`, each an event of its own. */

export interface Marks {
  start(since: number): void;
  stop(): void;
}

/** `detail` is told where it is a string; anything else is the page's own business. */
export const createMarks = (said: (value: 'working' | 'final', detail: string | null, at: number) => void): Marks => {
  let from = 0;
  const observer =
    typeof PerformanceObserver === 'function'
      ? new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const value = entry.name === 'unsettled:working' ? 'working' : entry.name === 'unsettled:final' ? 'final' : null;
            if (value === null || entry.startTime < from) continue;
            const detail: unknown = (entry as PerformanceMark).detail;
            said(value, typeof detail === 'string' ? detail.slice(0, 200) : null, entry.startTime);
          }
        })
      : null;
  return {
    start(since) {
      from = since;
      observer?.observe({ type: 'mark', buffered: true });
    },
    stop() {
      observer?.disconnect();
    },
  };
};

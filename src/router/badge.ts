/** Puts a count on the toolbar button of one tab, and hands what a frame counts to the tab's own document. Keeps nothing. */
import type { BadgeCall, CountCall } from '../link/calls';

export interface BadgeDoors {
  readonly show: (tab: number, text: string) => Promise<unknown>;
  /** To the tab's own document. Rejects where none listens. */
  readonly tell: (tab: number, call: CountCall) => Promise<unknown>;
}

const textOf = (count: number): string => (count === 0 ? '' : count > 99 ? '99+' : String(count));

export const createBadge =
  ({ show, tell }: BadgeDoors) =>
  (tab: number, call: BadgeCall | CountCall): void => {
    // A tab that went away meanwhile is no fault.
    const put = (): void => void show(tab, textOf(call.count)).catch(() => undefined);
    if (call.type === 'badge') put();
    // A frame of an enabled site in a page of another: it is all there is to count.
    else tell(tab, call).catch(put);
  };

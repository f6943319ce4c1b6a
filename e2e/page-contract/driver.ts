/** What the suite needs of a browser: tabs with scripts that run before the page's own, and evaluation past any policy. */

export interface ContractTab {
  goto(url: string): Promise<void>;
  back(): Promise<void>;
  /** The value of the expression in the page's own world, awaited, as JSON data. Not stopped by the page's policy. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export interface ContractDriver {
  readonly browser: string;
  readonly version: string;
  /** Two tabs are in front at once, each in a window of its own, and neither is held back for the other. */
  readonly sideBySide: boolean;
  /** A tab where these scripts run, in this order, in every document and frame before any script of the page. */
  openTab(scripts: readonly string[]): Promise<ContractTab>;
  close(): Promise<void>;
}

/** What the table and the timeline show. */
import type { FlowId } from '../core/model';

/** What the table shows: everything, one run, or one stream that no dialect knows. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'flow'; readonly flow: FlowId };

/** One text per scope, to compare and to remember by. */
export const scopeKey = (scope: Scope): string =>
  scope.kind === 'all' ? '*' : scope.kind === 'run' ? `run:${scope.run}` : `flow:${scope.flow}`;

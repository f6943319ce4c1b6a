/**
 * Words of Claude stream-json: how a `result` maps to an outcome, which control requests a person answers, and by what
 * keys its messages are known.
 */
import type { FinishReason, WaitKind } from '../model';
import { asString, type JsonObject, table } from './dialect';

const REASONS: Readonly<Record<string, FinishReason['reason']>> = table({
  aborted_streaming: 'cancelled',
  aborted_tools: 'cancelled',
  tool_deferred: 'waiting',
  prompt_too_long: 'length',
  budget_exhausted: 'length',
  max_turns: 'length',
});
const SUBTYPES: Readonly<Record<string, FinishReason['reason']>> = table({ error_max_turns: 'length', error_max_budget_usd: 'length' });
/** Reasons of the last model call that show through a turn that ended without an error. */
const STOPS: Readonly<Record<string, FinishReason['reason']>> = table({ refusal: 'refusal', max_tokens: 'length' });
/** Status of a background task's notification. */
export const TASKS: Readonly<Record<string, FinishReason['reason']>> = table({ completed: 'stop', failed: 'error', stopped: 'cancelled' });

/** Message types that say nothing about a turn. */
export const LOGS = new Set([
  'rate_limit_event',
  'keep_alive',
  'auth_status',
  'prompt_suggestion',
  'conversation_reset',
  'control_response',
  'streamlined_text',
  'streamlined_tool_use_summary',
  'transcript_mirror',
  'update_environment_variables',
]);

/** How a turn ended, by its `result`: the terminal reason first, then the subtype, then what the last model call said. */
export const outcomeOf = (value: JsonObject): { readonly reason: FinishReason['reason']; readonly failed: boolean } => {
  const subtype = asString(value.subtype) ?? '';
  const failed = subtype !== 'success' || value.is_error === true;
  const said = failed ? 'error' : (STOPS[asString(value.stop_reason) ?? ''] ?? 'stop');
  return { failed, reason: REASONS[asString(value.terminal_reason) ?? ''] ?? SUBTYPES[subtype] ?? said };
};

/** What a control request asks of a person; null where the client program answers it alone. */
export const asks = (request: JsonObject | null): WaitKind | null => {
  switch (asString(request?.subtype)) {
    case 'can_use_tool':
      return request?.tool_name === 'AskUserQuestion' ? 'input' : 'approval';
    case 'elicitation':
      return request?.mode === 'url' ? 'auth' : 'input';
    case 'request_user_dialog':
      return 'input';
    default:
      return null;
  }
};

/** Whether the message is certainly of this kind. */
export const isClaude = (value: JsonObject | null): boolean => {
  if (value === null || typeof value.session_id !== 'string') return false;
  if (value.type === 'system') return value.subtype === 'init' && Array.isArray(value.tools);
  if (typeof value.uuid !== 'string') return false;
  if (value.type === 'result') return typeof value.subtype === 'string' && typeof value.is_error === 'boolean';
  return /^(?:assistant|user|stream_event)$/u.test(asString(value.type) ?? '') && 'parent_tool_use_id' in value;
};

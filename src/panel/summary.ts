/**
 * What one event says, in one line: for the text column, for search, and for copying. The words are the wire's own;
 * where an event has none, nothing is made up here (views add a label in the reader's language).
 */
import type { AgentEvent, Identity } from '../core/model';

/** The words of an event; '' where it has none. */
export const textOf = (event: AgentEvent): string => {
  switch (event.type) {
    case 'part.delta':
    case 'part.replaced':
    case 'tool.input':
      return event.text;
    case 'part.closed':
      return event.text ?? '';
    case 'tool.called':
      return event.input === null ? event.name : `${event.name} ${event.input}`;
    case 'tool.returned':
      return event.output ?? '';
    case 'asked':
      return event.prompt ?? event.request;
    case 'answered':
      return event.how ?? event.request;
    case 'status':
      return event.label ?? event.state;
    case 'note':
      return event.text ?? '';
    case 'usage': {
      const { inputTokens, outputTokens, reasoningTokens } = event.usage;
      const said = [
        inputTokens === null ? '' : `in ${inputTokens}`,
        outputTokens === null ? '' : `out ${outputTokens}`,
        reasoningTokens === null ? '' : `reasoning ${reasoningTokens}`,
      ];
      return said.filter((part) => part !== '').join(' · ');
    }
    case 'finished':
      return event.finish.raw ?? event.finish.reason;
    case 'failed':
      return event.code === null ? event.message : `${event.code}: ${event.message}`;
    case 'attempt.opened':
      return event.model ?? '';
    case 'run.opened':
      return event.resumes.join(' ');
    case 'prompt.sent':
      return event.text ?? '';
    case 'turn.ended':
      return [event.kind, event.detail].filter((part) => part !== null).join(' · ');
    case 'agent.status':
      return event.state;
    case 'inbox.changed':
      return event.received.join(' ');
    case 'breach':
      return `${event.breach}: ${event.detail}`;
    case 'malformed':
      return event.detail;
    default:
      return '';
  }
};

/** The ids that tell this event from its neighbours, most particular first. */
const SHOWN: readonly (keyof Identity)[] = ['toolCall', 'message', 'part', 'step', 'agent', 'attempt', 'run', 'conversation'];

const PARTICULAR = SHOWN.slice(0, SHOWN.indexOf('attempt'));

/** One id for the identity column; '' where the wire named nothing. `within` a run, ids that all its events share say nothing. */
export const idOf = (identity: Identity, within: boolean): string => {
  for (const key of within ? PARTICULAR : SHOWN) {
    const value = identity[key];
    if (value !== undefined) return value;
  }
  return '';
};

/** Everything an id filter may match. */
export const idsOf = (identity: Identity): string => Object.values(identity).join(' ');

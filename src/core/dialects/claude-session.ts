/**
 * A session of Claude Code: what is open in it, whom its messages are of, and what is said when it sets to work, is answered,
 * or a subagent of it turns up and is over. What the frames of a session mean is in `claude-stream-json.ts`.
 */
import type { FinishReason, Identity } from '../model';
import { type Speaker, speaker } from './claude-speaker';
import { asArray, asString, identityOf, type JsonObject, type Utterance, utter, utterFailed, utterFinished } from './dialect';

export interface Session {
  /** '' until the server names the session: the page's first message goes out before that. */
  id: string;
  /** What it was called first, and so the lane of its runs. */
  readonly lane: string;
  running: boolean;
  /** A deferred tool call that the last turn left behind: the next turn goes on with its run. */
  deferred: string | null;
  readonly main: Speaker;
  /** Subagents by the tool call they work for. */
  readonly agents: Map<string, Speaker>;
  /** Tool call → the agent that made it; null: the main one. */
  readonly callers: Map<string, string | null>;
  /** Task → the tool call it was started by. */
  readonly tasks: Map<string, string>;
  readonly background: Set<string>;
  /** Open requests, and the tool call each is about. */
  readonly asks: Map<string, string | null>;
}

export const newSession = (id: string): Session => ({
  id,
  lane: id,
  running: false,
  deferred: null,
  main: speaker(),
  agents: new Map(),
  callers: new Map(),
  tasks: new Map(),
  background: new Set(),
  asks: new Map(),
});

export const about = (session: Session, agent: string | null = null): { readonly identity: Identity; readonly lane: string } => ({
  identity: identityOf({
    conversation: session.id,
    run: agent,
    parentRun: agent === null ? null : (session.callers.get(agent) ?? session.id),
  }),
  lane: session.lane,
});
export const note = (
  session: Session,
  raw: string,
  voice: 'lifecycle' | 'log' | 'tool' | 'user' | 'interaction',
  text: string | null = null,
): Utterance => utter(raw, voice, 'committed', { type: 'note', text }, about(session));

export const begin = (session: Session, raw: string, model: string | null = null): readonly Utterance[] => {
  if (session.running) return [];
  session.running = true;
  session.main.spoke = false;
  const resumes = session.deferred === null ? [] : [session.deferred];
  session.deferred = null;
  return [
    utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes }, about(session)),
    ...(model === null ? [] : [utter(raw, 'lifecycle', 'committed', { type: 'attempt.opened', model }, about(session))]),
  ];
};

export const answer = (
  session: Session,
  raw: string,
  how: string | null,
  which: (request: string, tool: string | null) => boolean,
): readonly Utterance[] => {
  const said: Utterance[] = [];
  for (const [request, tool] of session.asks)
    if (which(request, tool)) {
      session.asks.delete(request);
      said.push(utter(raw, 'interaction', 'committed', { type: 'answered', request, how }, about(session)));
    }
  return said;
};

/** The speaker of a message, and what is said by its turning up: a new message means that its tool calls are done. */
export const speaking = (
  session: Session,
  value: JsonObject,
  raw: string,
  message: string | null,
): readonly [Speaker, string | null, readonly Utterance[]] => {
  const agent = asString(value.parent_tool_use_id);
  const said: Utterance[] = [...begin(session, raw)];
  let one = agent === null ? session.main : session.agents.get(agent);
  if (one === undefined) {
    one = speaker();
    session.agents.set(agent!, one);
    said.push(utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(session, agent)));
  }
  if (message !== null && message !== one.message) {
    one.message = message;
    said.push(...answer(session, raw, null, (_request, tool) => (tool === null ? null : (session.callers.get(tool) ?? null)) === agent));
  }
  return [one, agent, said];
};

export const agentOver = (
  session: Session,
  raw: string,
  agent: string,
  reason: FinishReason['reason'],
  word: string,
  text: string | null,
): readonly Utterance[] => {
  const one = session.agents.get(agent);
  if (one === undefined || one.over) return [];
  one.over = true;
  const at = about(session, agent);
  return [reason === 'error' ? utterFailed(raw, text ?? '', word, at) : utterFinished(raw, { reason, raw: word }, null, at)];
};

export const withdraw = (session: Session, raw: string, uuids: unknown): readonly Utterance[] =>
  asArray(uuids).flatMap((uuid) =>
    [[null, session.main] as const, ...session.agents].flatMap(([agent, one]) =>
      one.withdraw(raw, asString(uuid) ?? '', about(session, agent)),
    ),
  );

/**
 * One run of the demo's agent: plays a scenario and says each step in Kestrel Runner events (contract v3). Keeps the run's
 * journal, so that a later connection can be given what an earlier one missed. Knows nothing of HTTP.
 */
import { randomUUID } from 'node:crypto';
import type { Scenario, Step } from './scenarios';

/** The envelope of every Runner event, keys in the order in which the service writes them. */
export interface RunnerEvent {
  readonly id: string;
  readonly type: string;
  readonly ts: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly threadId?: string;
  readonly commandId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Who listens to a run. `end` says whether the connection closes cleanly. */
export interface Listener {
  event(events: readonly RunnerEvent[]): void;
  end(clean: boolean): void;
}

/** The question a run has stopped at. */
export interface Pending {
  readonly requestId: string;
  readonly afterwards: readonly Step[];
}

/** One run, from its start on. */
export interface DemoRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly journal: readonly RunnerEvent[];
  /** False once the run was cut off: nobody can find it again. */
  readonly findable: boolean;
  readonly settled: boolean;
  readonly pending: Pending | null;
  listen(listener: Listener): () => void;
  /** Settles the run as cancelled. False if it is settled already. */
  cancel(): boolean;
}

const TERMINAL = new Set(['run.completed', 'run.failed', 'run.cancelled']);

/** Pieces as a provider streams them: a few characters each, cut without regard to words. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,17}/g) ?? [];

/** Starts a run; its first event is said at once. */
export const startRun = (
  scenario: Pick<Scenario, 'steps' | 'paceMs'>,
  ids: { readonly sessionId: string; readonly commandId: string },
): DemoRun => {
  const runId = randomUUID();
  const { sessionId, commandId } = ids;
  const startedAt = Date.now();
  const journal: RunnerEvent[] = [];
  const listeners = new Set<Listener>();
  let seq = 0;
  let step = 0;
  let findable = true;
  let settled = false;
  let pending: Pending | null = null;
  let wake: (() => void) | null = null;

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const make = (type: string, payload: Record<string, unknown>, threaded = false): RunnerEvent => ({
    id: randomUUID(),
    type,
    ts: new Date().toISOString(),
    runId,
    sessionId,
    ...(threaded ? { threadId: sessionId } : {}),
    commandId,
    payload,
  });
  const send = (...events: readonly RunnerEvent[]): void => {
    if (settled) return;
    journal.push(...events);
    if (events.some(({ type }) => TERMINAL.has(type))) settled = true;
    for (const listener of listeners) listener.event(events);
    if (settled) for (const listener of [...listeners]) listener.end(true);
  };

  const update = (more: Record<string, unknown>): Record<string, unknown> => ({
    update: {
      version: 'v1',
      runId,
      sessionId,
      ts: new Date().toISOString(),
      seq: ++seq,
      ...more,
      stepIndex: step,
      stepAgent: 'agent.loop',
    },
  });
  const progress = (phase: string, code: string, message: string, kind = 'stage'): RunnerEvent =>
    make('run.progress', update({ kind, phase, code, message, persist: true }));
  const reasoning = (event: string, delta?: string): RunnerEvent =>
    make(
      `run.model.reasoning.${event}`,
      update({ event, attempt: 1, format: 'summary', ...(delta === undefined ? {} : { delta }), contentState: 'live' }),
    );
  const tool = (phase: string, id: string, name: string, more: Record<string, unknown>): RunnerEvent =>
    make(`run.tool.${phase}`, update({ toolCallId: `tool:${runId}:${id}`, toolName: name, phase, ...more }), true);

  const output = (status: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    status,
    sessionId,
    runId,
    errors: [],
    telemetry: { stepsExecuted: step + 1, toolCalls: step, modelCalls: step + 1, durationMs: Date.now() - startedAt },
    ...more,
  });
  const completed = (text: string): RunnerEvent =>
    make('run.completed', {
      result: { output: output('COMPLETED'), assistantText: text, finalizedPayload: { message: text, data: null } },
    });
  /** The same envelope, and nothing is complete: the question is the text, and there is no payload. */
  const waiting = (prompt: string, waitFor: Record<string, unknown>): RunnerEvent =>
    make('run.completed', { result: { output: output('WAITING', { waitFor }), assistantText: prompt } });
  const end = (clean: boolean): void => {
    for (const listener of [...listeners]) listener.end(clean);
  };

  const play = async (now: Step): Promise<void> => {
    switch (now.do) {
      case 'reason':
        send(progress('agent', 'MODEL_CALL_STARTED', 'Calling decision model...'), reasoning('started'));
        for (const piece of pieces(now.text)) {
          if (settled) return;
          send(reasoning('delta', piece));
          await sleep(scenario.paceMs);
        }
        if (now.open !== true) send(reasoning('completed'), progress('agent', 'MODEL_CALL_DONE', 'Decision model answered.'));
        return;
      case 'announce':
        send(
          make('run.agent_progress', update({ message: now.text })),
          progress('acter', 'STEP_COMMITTED', `Committed step ${step} with status 'RUNNING'.`),
        );
        step++;
        return;
      case 'tool': {
        const id = randomUUID();
        send(
          tool('started', id, now.name, { input: now.input }),
          progress('acter', 'TOOL_CALL_STARTED', `Calling tool '${now.name}'.`, 'tool'),
        );
        await sleep(now.ms);
        send(
          progress('acter', 'TOOL_CALL_DONE', `Tool '${now.name}' completed in ${now.ms}ms.`, 'tool'),
          tool('completed', id, now.name, { input: now.input, output: now.output, durationMs: now.ms }),
        );
        return;
      }
      case 'draft': {
        const id = randomUUID();
        const input = { message: now.text };
        send(tool('started', id, 'FinalizeAnswer', { input }), progress('acter', 'TOOL_CALL_STARTED', 'Finalizing.', 'tool'));
        if (now.held === true) return;
        await sleep(scenario.paceMs);
        send(
          progress('acter', 'TOOL_CALL_DONE', "Tool 'FinalizeAnswer' completed.", 'tool'),
          tool('completed', id, 'FinalizeAnswer', { input, output: input, durationMs: scenario.paceMs }),
          progress('engine', 'EVALUATION_CHECKING', 'Checking result'),
        );
        return;
      }
      case 'pause':
        return sleep(now.ms);
      case 'complete':
        return send(progress('acter', 'RUN_COMPLETED', 'Run completed.'), completed(now.text));
      case 'ask': {
        const requestId = `request-${randomUUID()}`;
        pending = { requestId, afterwards: now.afterwards };
        const interaction = { version: 'v1', kind: 'user_input', eventType: 'user.reply', prompt: now.prompt, requestId };
        return send(
          progress('acter', 'WAITING_FOR_EVENT', "Run waiting for 'user.reply'.", 'waiting'),
          waiting(now.prompt, { kind: 'user', eventType: 'user.reply', interaction }),
        );
      }
      case 'fail': {
        const error = { code: now.code, message: now.message };
        return send(
          progress('engine', 'RUN_FAILED', `Run failed: ${now.code}.`),
          make('run.failed', { result: { output: output('FAILED', { errors: [error] }), assistantText: null }, error }),
        );
      }
      case 'linger':
        while (!settled) await sleep(60_000);
        return;
      case 'cut':
      case 'reset':
        findable = false;
        return end(now.do === 'cut');
      case 'lose':
        return end(true);
    }
  };

  send(
    make('run.started', { sessionId, runId, eventType: 'user.message', interactionMode: 'chat' }, true),
    progress('engine', 'RUN_STARTED', "Run started for event 'user.message'."),
  );
  void (async () => {
    for (const now of scenario.steps) {
      // A lost run starts its next step with nobody listening; a settled or unfindable one has no next step.
      if (settled || !findable) return;
      await play(now);
    }
  })();

  return {
    runId,
    sessionId,
    journal,
    get findable() {
      return findable;
    },
    get settled() {
      return settled;
    },
    get pending() {
      return pending;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cancel() {
      if (settled) return false;
      // As documented for `run.cancelled`: the inner status is FAILED and the list of errors is empty.
      send(make('run.cancelled', { sessionId, runId, result: { assistantText: null, output: output('FAILED') } }));
      wake?.();
      return true;
    },
  };
};

/**
 * The runtime of the CopilotKit page: the package's own runtime and Node listener over scripted AG-UI agents, one for each
 * scenario. What a proxy or a network does to the stream is done to the response, not to the agent.
 */
import { AbstractAgent, type BaseEvent, EventType, type RunAgentInput } from '@ag-ui/client';
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkit/runtime/v2';
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';
import { Observable } from 'rxjs';
import { type Fault, spoil } from '../faults';
import { builtOf, type Scenario, type Served } from '../page';
import { serve, sleep } from '../serve';
import { piecesOf, WORDS } from '../words';

const { reasoning, answer, middle } = WORDS.plain!;
const HALF = answer.slice(0, answer.indexOf(middle) + middle.length);
const PACE_MS = 40;

class ScriptedAgent extends AbstractAgent {
  readonly scenario: Scenario;
  #stop = (): void => {};
  constructor(scenario: Scenario) {
    super({ agentId: scenario });
    this.scenario = scenario;
  }
  override clone(): ScriptedAgent {
    return new ScriptedAgent(this.scenario);
  }
  override abortRun(): void {
    this.#stop();
  }
  override run({ threadId, runId }: RunAgentInput): Observable<BaseEvent> {
    return new Observable((to) => {
      let stopped = false;
      // As an agent over HTTP ends whose request is aborted: no further event.
      this.#stop = () => {
        stopped = true;
        to.complete();
      };
      const say = (event: Record<string, unknown>): void => to.next(event as unknown as BaseEvent);
      void (async () => {
        say({ type: EventType.RUN_STARTED, threadId, runId });
        const thought = `${runId}-r`;
        say({ type: EventType.REASONING_START, messageId: thought });
        say({ type: EventType.REASONING_MESSAGE_START, messageId: thought, role: 'reasoning' });
        for (const delta of piecesOf(reasoning)) {
          if (stopped) return;
          say({ type: EventType.REASONING_MESSAGE_CONTENT, messageId: thought, delta });
          await sleep(PACE_MS);
        }
        say({ type: EventType.REASONING_MESSAGE_END, messageId: thought });
        say({ type: EventType.REASONING_END, messageId: thought });

        const messageId = `${runId}-m`;
        const half = this.scenario === 'failed-after-text' || this.scenario === 'waiting';
        say({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' });
        for (const delta of piecesOf(half ? HALF : answer)) {
          if (stopped) return;
          say({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta });
          await sleep(PACE_MS);
        }
        say({ type: EventType.TEXT_MESSAGE_END, messageId });
        if (this.scenario === 'failed-after-text')
          say({ type: EventType.RUN_ERROR, message: 'The model is overloaded.', code: 'OVERLOADED' });
        else if (this.scenario === 'waiting')
          say({
            type: EventType.RUN_FINISHED,
            threadId,
            runId,
            outcome: { type: 'interrupt', interrupts: [{ id: 'int-1', reason: 'input', message: 'Restart the collector now?' }] },
          });
        else say({ type: EventType.RUN_FINISHED, threadId, runId });
        to.complete();
      })();
      return () => {
        stopped = true;
      };
    });
  }
}

const FAULTS: Partial<Readonly<Record<Scenario, Fault>>> = {
  'late-settlement': { after: /"TEXT_MESSAGE_END"/gu, how: 'late' },
  'severed-mid-text': { after: new RegExp(middle, 'gu'), how: 'end' },
  'reset-mid-text': { after: new RegExp(middle, 'gu'), how: 'reset' },
  'severed-after-reasoning': { after: /"REASONING_MESSAGE_END"/gu, how: 'end' },
  'left-open': { after: /"RUN_FINISHED"/gu, how: 'open' },
};

const SCENARIOS: readonly Scenario[] = [
  'completed',
  'late-settlement',
  'severed-mid-text',
  'reset-mid-text',
  'severed-after-reasoning',
  'waiting',
  'failed-after-text',
  'aborted-by-person',
  'left-open',
];

export const startServer = async (): Promise<Served> => {
  // The runtime counts its uses unless it is told not to.
  process.env.COPILOTKIT_TELEMETRY_DISABLED = 'true';
  const runtime = new CopilotRuntime({
    agents: Object.fromEntries(SCENARIOS.map((scenario) => [scenario, new ScriptedAgent(scenario)])),
    runner: new InMemoryAgentRunner(),
  });
  const listener = createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' });
  return serve(builtOf('copilotkit'), (request, response, { pathname }) => {
    if (!pathname.startsWith('/api/')) return false;
    const [, scenario] = /\/agent\/([\w-]+)\/run$/u.exec(pathname) ?? [];
    const fault = FAULTS[scenario as Scenario];
    if (fault !== undefined) spoil(response, fault);
    void listener(request, response);
    return true;
  });
};

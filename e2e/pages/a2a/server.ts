/**
 * The agents of the A2A page: the request handler and the Express routes of `@a2a-js/sdk` over scripted executors, one agent
 * for each scenario. What a proxy or a network does to their streams is done to the response, not to the agent.
 */

import { randomUUID } from 'node:crypto';
import { type AgentCard, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { type Fault, spoil } from '../faults';
import type { Served } from '../page';
import { serve, sleep } from '../serve';
import { piecesOf, WORDS } from '../words';

const { answer, middle } = WORDS.plain!;
const HALF = answer.slice(0, answer.indexOf(middle) + middle.length);
const QUESTION = 'Which environment do you mean, staging or production?';

const PACE_MS = 40;
const part = (value: string) => ({ content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: '' });

/** What the agent does once its text is out. */
type Ending = 'completed' | 'failed' | 'asks';

class ScriptedAgent implements AgentExecutor {
  readonly #cancelled = new Set<string>();
  constructor(readonly ending: Ending) {}

  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId } = request;
    const status = (state: TaskState, text = ''): TaskStatus => ({
      state,
      timestamp: new Date().toISOString(),
      message:
        text === ''
          ? undefined
          : {
              messageId: randomUUID(),
              contextId,
              taskId,
              role: Role.ROLE_AGENT,
              parts: [part(text)],
              metadata: undefined,
              extensions: [],
              referenceTaskIds: [],
            },
    });
    const now = (state: TaskState, text = ''): void =>
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state, text), metadata: undefined }));

    const task: Task = request.task ?? {
      id: taskId,
      contextId,
      status: status(TaskState.TASK_STATE_SUBMITTED),
      artifacts: [],
      history: [request.userMessage],
      metadata: undefined,
    };
    bus.publish(AgentEvent.task(task));
    now(TaskState.TASK_STATE_WORKING, 'Reading the configuration…');
    await sleep(4 * PACE_MS);
    if (this.ending === 'asks' && request.task === undefined) {
      now(TaskState.TASK_STATE_INPUT_REQUIRED, QUESTION);
      bus.finished();
      return;
    }
    const all = piecesOf(this.ending === 'failed' ? HALF : answer);
    const artifactId = randomUUID();
    for (const [index, piece] of all.entries()) {
      if (this.#cancelled.has(taskId)) {
        now(TaskState.TASK_STATE_CANCELED);
        bus.finished();
        return;
      }
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: { artifactId, name: 'answer', description: '', parts: [part(piece)], metadata: undefined, extensions: [] },
          append: index > 0,
          lastChunk: index === all.length - 1,
          metadata: undefined,
        }),
      );
      await sleep(PACE_MS);
    }
    if (this.ending === 'failed') now(TaskState.TASK_STATE_FAILED, 'the model is overloaded');
    else now(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  }

  async cancelTask(taskId: string): Promise<void> {
    this.#cancelled.add(taskId);
  }
}

const MIDDLE = new RegExp(middle, 'gu');
const AGENTS: Readonly<Record<string, { readonly ending: Ending; readonly fault?: Fault }>> = {
  completed: { ending: 'completed' },
  'late-settlement': { ending: 'completed', fault: { after: /"lastChunk":true/gu, how: 'late' } },
  'severed-mid-text': { ending: 'completed', fault: { after: MIDDLE, how: 'end' } },
  'reset-mid-text': { ending: 'completed', fault: { after: MIDDLE, how: 'reset' } },
  waiting: { ending: 'asks' },
  'failed-after-text': { ending: 'failed' },
  'aborted-by-person': { ending: 'completed' },
  'left-open': { ending: 'completed', fault: { after: /_COMPLETED/gu, how: 'open' } },
};

const cardOf = (url: string): AgentCard => ({
  name: 'Operations agent',
  description: 'Answers questions about settings.',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [],
  signatures: [],
});

/** Starts the agents and serves the built page. */
export const startServer = async (folder: string): Promise<Served> => {
  const app = express();
  const served = await serve(folder, (request, response, { pathname }) => {
    if (!pathname.startsWith('/agents/')) return false;
    app(request, response);
    return true;
  });

  for (const [name, { ending, fault }] of Object.entries(AGENTS)) {
    const at = `/agents/${name}`;
    const handler = new DefaultRequestHandler(cardOf(`${served.origin}${at}/rpc`), new InMemoryTaskStore(), new ScriptedAgent(ending));
    app.use(`${at}/.well-known/agent-card.json`, agentCardHandler({ agentCardProvider: handler }));
    app.use(`${at}/rpc`, (_request, response, next) => {
      if (fault !== undefined) spoil(response, fault);
      next();
    });
    app.use(`${at}/rpc`, jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  }
  return served;
};

/** The page's side of the wire: the requests it makes and the events it reads. Knows nothing of what is shown. */

/** As much of a Runner event as the page looks at. */
export interface RunnerEvent {
  readonly id: string;
  readonly type: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly payload: {
    readonly update?: {
      readonly delta?: string;
      readonly message?: string;
      readonly toolName?: string;
      readonly input?: { readonly message?: string };
    };
    readonly result?: {
      readonly assistantText: string | null;
      readonly finalizedPayload?: { readonly message: string };
      readonly output: {
        readonly status: string;
        readonly waitFor?: { readonly interaction?: { readonly prompt: string; readonly requestId: string } };
      };
    };
    readonly error?: { readonly message: string };
  };
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The events of a response as they arrive. Ends where the connection ends; throws where it breaks. */
async function* events(response: Response): AsyncGenerator<RunnerEvent> {
  if (!response.ok || response.body === null) throw new Error(`the agent answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    pending += value;
    const frames = pending.split('\n\n');
    pending = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice(6)) as RunnerEvent;
    }
  }
}

/** Starts a run. */
export async function* startRun(
  query: string,
  sessionId: string,
  message: string,
  resumeRequestId: string | null,
): AsyncGenerator<RunnerEvent> {
  yield* events(
    await post(`/api/agent/stream?${query}`, {
      sessionId,
      message,
      ...(resumeRequestId === null ? {} : { eventType: 'user.reply', resumeRequestId }),
    }),
  );
}

/** Joins a run again, after the last event that was seen of it. */
export async function* rejoinRun(last: RunnerEvent): AsyncGenerator<RunnerEvent> {
  const filter = { sessionId: last.sessionId, runId: last.runId, sinceEventId: last.id };
  yield* events(await post('/events/stream', { filter, metadata: { actor: { actorId: 'demo', actorType: 'end_user' } } }));
}

/** Asks for a run to be cancelled. How it ended is said on the run's own stream. */
export const cancelRun = async (run: RunnerEvent): Promise<void> => {
  await post('/commands', { id: crypto.randomUUID(), type: 'run.cancel', payload: { sessionId: run.sessionId, runId: run.runId } });
};

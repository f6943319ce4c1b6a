/** The page's side of a runner's wire: start a run, join it again by its name, cancel it. Knows nothing of what is shown. */

/** As much of an event as the page looks at. */
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

async function* eventsOf(response: Response): AsyncGenerator<RunnerEvent> {
  if (!response.ok || response.body === null) throw new Error(`the runner answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    left += value;
    for (let end = left.indexOf('\n\n'); end >= 0; end = left.indexOf('\n\n')) {
      const data = /^data: (.*)$/mu.exec(left.slice(0, end))?.[1];
      left = left.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as RunnerEvent;
    }
  }
}

export async function* startRun(scenario: string, sessionId: string, message: string, resumes: string | null): AsyncGenerator<RunnerEvent> {
  const turn = { sessionId, message, ...(resumes === null ? {} : { eventType: 'user.reply', resumeRequestId: resumes }) };
  const command = { id: crypto.randomUUID(), type: 'run.start', payload: { profileId: 'default', turn } };
  yield* eventsOf(await post(`/commands/stream?scenario=${scenario}`, command));
}

/** What came after the last event that was seen. The subscription stays open after the end; the page leaves it so. */
export async function* rejoinRun({ sessionId, runId, id }: RunnerEvent): AsyncGenerator<RunnerEvent> {
  const filter = { sessionId, runId, sinceEventId: id };
  yield* eventsOf(await post('/events/stream', { filter, metadata: { actor: { actorId: 'page', actorType: 'end_user' } } }));
}

export const cancelRun = async ({ sessionId, runId }: RunnerEvent): Promise<void> => {
  await post('/commands', { id: crypto.randomUUID(), type: 'run.cancel', payload: { sessionId, runId } });
};

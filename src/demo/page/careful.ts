/**
 * A page that shows only what it may. The answer is the terminal event's own text; the page stays busy until that event
 * arrives; reasoning has its own labelled place; a lost connection, a question, a failure and a stop each look like what
 * they are.
 */
import type { Conversation } from './main';
import { addTurn } from './turn';
import { type RunnerEvent, rejoinRun, startRun } from './wire';

/** Plays one run. */
export const careful = async (page: Conversation, message: string, resumes: string | null = null): Promise<void> => {
  const turn = addTurn(page.log, message);
  let last: RunnerEvent | null = null;
  let settled = false;

  const settle = (event: RunnerEvent): void => {
    settled = true;
    const { output, assistantText } = event.payload.result ?? { output: { status: 'FAILED' }, assistantText: null };
    const question = 'waitFor' in output ? output.waitFor?.interaction : undefined;
    if (event.type === 'run.cancelled') turn.notice('warn', 'Stopped by you. There is no answer.');
    else if (event.type === 'run.failed') turn.notice('bad', `The run failed: ${event.payload.error?.message ?? 'no reason given'}`);
    else if (question !== undefined)
      turn.question(question.prompt, (reply) => {
        void page.run(reply, question.requestId);
      });
    else if (assistantText !== null) {
      turn.answer(assistantText);
      turn.tools(assistantText);
    }
  };

  const read = async (stream: AsyncIterable<RunnerEvent>): Promise<void> => {
    for await (const event of stream) {
      last = event;
      page.current = event;
      const { update } = event.payload;
      if (event.type === 'run.model.reasoning.delta') turn.aside('Reasoning', update?.delta ?? '');
      else if (event.type === 'run.agent_progress') turn.activity(update?.message ?? '');
      else if (event.type === 'run.tool.started') turn.working(update?.toolName === 'FinalizeAnswer' ? 'Checking the answer' : 'Working');
      else if (event.type === 'run.completed' || event.type === 'run.failed' || event.type === 'run.cancelled') {
        settle(event);
        return;
      }
    }
  };

  page.busy(true);
  turn.working('Working');
  try {
    await read(startRun(page.query, page.session, message, resumes));
  } catch {
    // What became of the run is not known yet: asked for below.
  }
  if (!settled && last !== null) {
    turn.notice('warn', 'The connection was lost. Asking what became of the run.');
    try {
      await read(rejoinRun(last));
      if (settled) turn.noNotice();
    } catch {
      // Said below.
    }
  }
  if (!settled)
    turn.notice('bad', 'The connection was lost, and how the run ended is not known.', () => {
      void page.run(message);
    });
  turn.working(null);
  page.busy(false);
};

/**
 * The page many write first. It takes the end of the stream for the end of the run, shows the draft as soon as there is
 * one, takes the answer from the payload in place of the text that was committed, and where there is none shows the last
 * thing it has. Every one of its faults was seen in a real page.
 */
import type { Conversation } from './main';
import { addTurn } from './turn';
import { startRun } from './wire';

/** Plays one run. */
export const careless = async (page: Conversation, message: string): Promise<void> => {
  const turn = addTurn(page.log, message);
  let visible = '';
  let answer = '';
  let round = '';
  let done = false;

  const finish = (): void => {
    if (done) return;
    done = true;
    turn.answer(answer || visible);
    turn.tools(answer || visible);
    turn.working(null);
    page.busy(false);
  };

  page.busy(true);
  turn.working('Thinking');
  try {
    for await (const event of startRun(page.query, page.session, message, null)) {
      page.current = event;
      const { update, result } = event.payload;
      if (event.type === 'run.model.reasoning.started') round = '';
      else if (event.type === 'run.model.reasoning.delta') {
        round += update?.delta ?? '';
        visible = round;
      } else if (event.type === 'run.tool.started' && update?.toolName === 'FinalizeAnswer') {
        visible = update.input?.message ?? '';
        turn.answer(visible);
      } else if (event.type === 'run.tool.completed' && update?.toolName === 'FinalizeAnswer') finish();
      else if (result?.finalizedPayload !== undefined) {
        answer = result.finalizedPayload.message;
        if (!done) turn.answer(answer);
      }
    }
  } catch {
    // Whatever has arrived will do.
  }
  finish();
};

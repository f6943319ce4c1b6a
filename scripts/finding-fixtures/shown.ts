/** Fixtures of the rules that hold what was shown against what was said. */
import {
  AGUI,
  ANNOUNCED,
  ASSISTANT,
  announcing,
  asked,
  committing,
  drafted,
  FINAL,
  finish,
  finishing,
  finishStep,
  HALF,
  interrupting,
  REFUND,
  REPLY,
  reasoning,
  reasoningEnd,
  reasoningStart,
  replying,
  type Scene,
  SSE,
  type Stories,
  scene,
  start,
  startStep,
  text,
  textEnd,
  textStart,
} from './stories';

const REST = REPLY.slice(HALF.length);
const PLAN = 'Searching the change log for the migration';
const CARD = { path: 'main › div.card › p' };
const TOOL = { path: 'main › article › div.tool', presentedAs: 'tool' as const };
const bare = (): Scene => scene().rest().at(1000).open('flow-1');
const plan = { type: 'data-plan', id: 'p1', data: PLAN };
const settled = (): Scene => finishing(replying(asked())).wait(50).idle().at(4000).still('reply');
const again = (s: Scene, at: number): Scene =>
  s
    .at(at)
    .open('flow-2', { body: { messages: [{ role: 'user', content: 'And the rollback?' }] } })
    .at(at + 10)
    .busy()
    .at(at + 100)
    .sayOn('flow-2', { type: 'start', messageId: 'm2' }, startStep, { type: 'text-start', id: 't2' });
/** Some time after a good end the person asks on: their words stand there, the page is at work, and the request is made. */
const askedOn = (busy = true): Scene => {
  const s = settled().show('you-2', 'And the rollback?', { path: 'main › article.user › p', presentedAs: 'user' });
  return busy ? s.wait(5).busy() : s;
};
const PROMPT = { body: { messages: [{ role: 'user', content: 'And the rollback?' }] } };
const OOPS = 'Something went wrong';
const TURN = { path: 'main › article' };
const ALERT = { ...TURN, role: 'alert' };
const wentWrong = (s: Scene): Scene => s.wait(15).idle().show('note', OOPS, TURN).wait(4000).still('reply', 'note');
const refused = (s: Scene): Scene =>
  s
    .open('flow-2', { ...PROMPT, status: 500, headers: { 'content-type': 'application/json' } })
    .wait(20)
    .raw('{"error":{"message":"The server had an error"}}', 'flow-2')
    .end('eof', 'flow-2');
const dropped = (s: Scene): Scene => s.ask('flow-2', PROMPT).wait(20).end('network-error', 'flow-2');
/** An error that nobody knows, and nothing else. */
const failedFirst = (s: Scene): Scene =>
  s
    .open('flow-2', { ...PROMPT, headers: SSE })
    .wait(20)
    .sayOn('flow-2', { error: { message: 'The server had an error' } })
    .end('eof', 'flow-2');
const SECOND = 'The rollback drops the column again.';
const approval = [
  textEnd,
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { order: 77 } },
  { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
] as const;
const call = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'flaky_lookup', input: { x: 'a' } };
const stopped = [textEnd, finishStep, finish('stop'), '[DONE]'] as const;
/** Another question, for which the page only holds its composer back; it is looked at before, and for a while after. */
const plainly = (s: Scene, n: number, answer: string): Scene =>
  s
    .watch('started')
    .wait(100)
    .open(`flow-${n}`, { body: { messages: [{ role: 'user', content: `Question ${n}?` }] } })
    .wait(10)
    .cue('composer', 'composer', 'disabled')
    .wait(100)
    .sayOn(`flow-${n}`, { type: 'start', messageId: `m${n}` }, startStep, textStart, text(answer))
    .wait(20)
    .show(`reply-${n}`, answer, ASSISTANT)
    .wait(300)
    .sayOn(`flow-${n}`, ...stopped)
    .end('eof', `flow-${n}`)
    .wait(20)
    .cue('composer', 'composer', 'enabled')
    .wait(3000)
    .still(`reply-${n}`)
    .wait(7000)
    .watch('stopped')
    .wait(20_000);
/** While an approval is awaited its Stop stands; it goes when nobody watches, and the next picture tells that it has. */
const betweenWatches = (): Scene => {
  const waiting = replying(asked(), 'I can refund it.')
    .say(...approval, finishStep, finish('tool-calls'), '[DONE]')
    .end()
    .wait(10_000)
    .watch('stopped')
    .wait(20_000);
  const next = plainly(waiting.rest().cue('stop', 'control', null, 'Stop', { rest: true }), 2, 'The refund was made this morning.');
  return plainly(next.rest(), 3, 'The order is closed now.');
};

const runner = (): Scene => asked({ headers: SSE, url: 'https://app.example/runs/stream' });

export const SHOWN: Stories = {
  'progress-as-answer': {
    fails: {
      'all-that-is-shown': asked()
        .at(1100)
        .say(start, startStep, plan)
        .wait(20)
        .show('reply', PLAN)
        .at(1500)
        .say(...stopped.slice(1))
        .end()
        .wait(20)
        .idle(),
      'in-the-assistants-place': finishing(
        asked()
          .at(1100)
          .say(start, startStep, plan)
          .wait(20)
          .show('plan', PLAN, { presentedAs: 'assistant' })
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, { presentedAs: 'assistant' }),
      )
        .wait(50)
        .idle(),
    },
    passes: {
      'guard-02-in-a-status-line': finishing(
        asked()
          .at(1100)
          .say(start, startStep, plan)
          .wait(20)
          .show('plan', PLAN, { path: 'main › output', role: 'status', presentedAs: 'progress' })
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF),
      )
        .wait(50)
        .idle(),
      'in-a-log': asked()
        .at(1100)
        .say(start, startStep, plan)
        .wait(20)
        .show('log', PLAN, { path: 'pre#log' })
        .at(1500)
        .say(...stopped.slice(1))
        .end()
        .wait(20)
        .idle(),
    },
    'cannot-tell': {
      'page-never-seen-to-work': asked()
        .at(1100)
        .say(start, startStep, plan)
        .wait(20)
        .show('reply', PLAN)
        .at(1500)
        .say(...stopped.slice(1))
        .end(),
    },
    'does-not-apply': { 'no-progress': settled() },
  },
  'waiting-lost': {
    fails: {
      'neither-question-nor-answer': interrupting(asked(AGUI)).end().wait(50).idle().at(3000).still('reply'),
      'question-taken-away': interrupting(asked(AGUI))
        .end()
        .wait(20)
        .show('card', REFUND, CARD)
        .wait(30)
        .idle()
        .at(2500)
        .hide('card')
        .at(3500)
        .still('reply'),
    },
    passes: {
      'question-shown': interrupting(asked(AGUI)).end().wait(20).show('card', REFUND, CARD).wait(30).idle().at(3000).still('reply', 'card'),
      'asked-with-controls-of-its-own': interrupting(asked(AGUI))
        .end()
        .wait(50)
        .idle()
        .cue('yes', 'control', 'enabled', 'Refund it')
        .at(3000)
        .still('reply'),
    },
    'cannot-tell': {
      'asked-in-other-words': interrupting(asked(AGUI))
        .end()
        .wait(50)
        .idle()
        .show('card', 'May I give the money back?', CARD)
        .at(3000)
        .still('reply'),
    },
    'does-not-apply': { 'nothing-asked': settled() },
  },
  'stale-waiting': {
    fails: {
      'buttons-stay-after-the-answer': replying(asked(), 'I can refund it.')
        .say(...approval)
        .wait(20)
        .cue('approve', 'control', 'enabled', 'Approve')
        .at(2000)
        .say({ type: 'tool-approval-response', approvalId: 'a1', approved: true })
        .at(5000)
        .still('reply')
        .tick(),
    },
    passes: {
      'buttons-go': replying(asked(), 'I can refund it.')
        .say(...approval)
        .wait(20)
        .cue('approve', 'control', 'enabled', 'Approve')
        .at(2000)
        .say({ type: 'tool-approval-response', approvalId: 'a1', approved: true })
        .at(2100)
        .cue('approve', 'control', null, 'Approve')
        .at(5000)
        .still('reply'),
      'question-stays-as-history': interrupting(asked(AGUI))
        .end()
        .wait(20)
        .show('card', REFUND, CARD)
        .cue('yes', 'control', 'enabled', 'Refund it')
        .at(2000)
        .cue('yes', 'control', null, 'Refund it')
        .open('flow-2', { ...AGUI, body: { threadId: 'th1', runId: 'run2', resume: [{ interruptId: 'int-1', status: 'resolved' }] } })
        .sayOn('flow-2', { type: 'RUN_STARTED', threadId: 'th1', runId: 'run2' }, { type: 'RUN_FINISHED', threadId: 'th1', runId: 'run2' })
        .end('eof', 'flow-2')
        .at(6000)
        .still('card'),
    },
    'cannot-tell': {
      'sightings-lost': replying(asked(), 'I can refund it.')
        .say(...approval)
        .wait(20)
        .cue('approve', 'control', 'enabled', 'Approve')
        .at(2000)
        .gap('relay-lost', null, 3)
        .say({ type: 'tool-approval-response', approvalId: 'a1', approved: true })
        .at(5000)
        .still('reply')
        .tick(),
    },
    'does-not-apply': { 'nothing-asked': settled() },
  },
  'duplicate-interaction': {
    fails: {
      'two-cards': interrupting(asked(AGUI))
        .end()
        .wait(20)
        .show('card', REFUND, CARD)
        .wait(40)
        .show('card-2', REFUND, CARD)
        .at(4000)
        .still('card', 'card-2'),
    },
    passes: {
      'one-card': interrupting(asked(AGUI)).end().wait(20).show('card', REFUND, CARD).at(4000).still('card'),
      'announced-as-well': interrupting(asked(AGUI))
        .end()
        .wait(20)
        .show('card', REFUND, CARD)
        .show('live', REFUND, { path: 'body › div', role: 'status' })
        .at(4000)
        .still('card'),
    },
    'cannot-tell': {
      'in-two-kinds-of-place': interrupting(asked(AGUI))
        .end()
        .wait(20)
        .show('card', REFUND, CARD)
        .wait(40)
        .show('side', REFUND, { path: 'aside › li' })
        .at(4000)
        .still('card', 'side'),
    },
    'does-not-apply': { 'nothing-asked': settled() },
  },
  'unclean-finish-as-clean': {
    fails: {
      'no-cue-on-the-page': finishing(
        bare()
          .at(1100)
          .say(start, startStep, textStart, text(HALF))
          .wait(20)
          .show('reply', HALF.slice(0, 12), ASSISTANT)
          .at(1900)
          .show('reply', HALF)
          .at(2500),
        'length',
      )
        .at(6000)
        .tick()
        .still('reply'),
      length: finishing(replying(asked()), 'length').wait(50).idle().at(3000).still('reply'),
      'content-filter': finishing(replying(asked()), 'content-filter').wait(50).idle().at(3000).still('reply'),
    },
    passes: {
      'limit-noted': finishing(replying(asked()), 'length')
        .wait(50)
        .idle()
        .show('note', 'Length limit reached', { path: 'main › small' })
        .at(3000)
        .still('reply'),
      'continue-offered': finishing(replying(asked()), 'length')
        .wait(50)
        .idle()
        .cue('more', 'control', 'enabled', 'Continue')
        .at(3000)
        .still('reply'),
    },
    'cannot-tell': { 'too-short-a-look': finishing(replying(bare()), 'length').at(3000).still('reply') },
    'does-not-apply': { 'normal-finish': settled() },
  },
  'error-after-clean-settle': {
    fails: {
      'alert-after-finish': finishing(replying(asked()))
        .wait(50)
        .idle()
        .wait(100)
        .show('note', 'Something went wrong', { path: 'main › div', role: 'alert' })
        .at(4000)
        .still('reply', 'note'),
      // Nothing newer on the page, and in the conversation itself.
      'late-in-the-conversation': settled().show('note', OOPS, ALERT).wait(4000).still('note'),
      'late-with-the-end-of-the-connection': (() => {
        const s = replying(asked())
          .say(...stopped)
          .wait(50)
          .idle();
        return s.at(4000).end('network-error').wait(30).show('note', OOPS, { path: 'main › div', role: 'alert' }).wait(4000).still('note');
      })(),
      'the-connection-was-taken-up-again': (() => {
        const url = 'https://app.example/api/chat/1/events';
        const s = finishing(replying(asked({ method: 'GET', url })))
          .wait(50)
          .idle();
        s.at(3500).ask('flow-2', { method: 'GET', url }).wait(30).end('network-error', 'flow-2');
        return s.wait(30).show('note', 'Connection error', { path: 'main › div', role: 'alert' }).wait(4000).still('note');
      })(),
      'the-composer-goes-with-it': settled().cue('send', 'control', 'disabled', 'Send').show('note', OOPS, ALERT).wait(4000).still('note'),
    },
    passes: {
      'nothing-more': settled(),
      'guard-07-the-next-prompt-is-refused': wentWrong(refused(askedOn())),
      'the-next-prompt-is-dropped': wentWrong(dropped(askedOn())),
      'the-next-stream-fails-at-once': wentWrong(failedFirst(askedOn())),
      // Nothing of it is in the record but what the page showed.
      'the-next-prompt-is-not-recorded': wentWrong(askedOn()),
      'the-next-prompt-is-not-recorded-and-shows-no-work': askedOn(false).wait(30).show('note', OOPS, TURN).wait(4000).still('note'),
      'the-next-prompt-is-not-shown': wentWrong(settled().busy().wait(30)),
      'late-and-who-knows-where': settled().show('note', OOPS, { path: 'section › ol › li › div', role: 'alert' }).wait(4000).still('note'),
      'guard-07-a-toast-about-something-else': settled()
        .show('toast', 'Could not save your draft. Try again.', { path: 'div', role: 'alert' })
        .wait(4000)
        .still('toast'),
      'guard-07-a-friendly-note': finishing(replying(asked()))
        .wait(50)
        .idle()
        .wait(100)
        .show('note', 'Was this helpful?', { path: 'main › div' })
        .at(4000)
        .still('reply'),
    },
    'cannot-tell': {
      'a-tool-had-failed': finishing(
        replying(asked()).say(call, { type: 'tool-output-error', toolCallId: 'c1', errorText: 'no such table' }),
      )
        .wait(50)
        .idle()
        .wait(100)
        .show('note', 'One step ended in an error', { path: 'main › div', role: 'alert' })
        .at(4000)
        .still('reply', 'note'),
      // With the end, where the page says all sorts of things.
      'a-toast-with-the-end': finishing(replying(asked()))
        .wait(50)
        .idle()
        .wait(100)
        .show('note', OOPS, { path: 'div.toasts › p', role: 'alert' })
        .at(4000)
        .still('reply', 'note'),
    },
    'does-not-apply': {
      'it-did-fail': replying(asked())
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(50)
        .idle()
        .show('note', 'Something went wrong', { role: 'alert' }),
    },
  },
  'cancel-as-done': {
    fails: {
      'stopped-and-silent': replying(asked()).at(1400).end('aborted-by-page').wait(20).idle().at(3000).still('reply'),
      'cancelled-by-the-producer': replying(asked())
        .at(1400)
        .say({ type: 'abort', reason: 'user' })
        .end()
        .wait(20)
        .idle()
        .at(3000)
        .still('reply'),
    },
    passes: {
      'stopped-is-said': replying(asked())
        .at(1400)
        .end('aborted-by-page')
        .wait(20)
        .idle()
        .show('note', 'Stopped', { path: 'main › small' })
        .at(3000)
        .still('reply'),
      'resume-offered': replying(asked())
        .at(1400)
        .end('aborted-by-page')
        .wait(20)
        .idle()
        .cue('go', 'control', 'enabled', 'Continue')
        .at(3000)
        .still('reply'),
    },
    'cannot-tell': { 'no-cue-on-the-page': replying(bare()).at(1400).end('aborted-by-page').at(3000).still('reply') },
    'does-not-apply': {
      completed: settled(),
      'page-left': replying(asked()).at(1400).end('document-gone').wait(20).idle(),
      'went-on-to-the-next': again(replying(asked()).at(1400).end('aborted-by-page').wait(20).idle(), 1500),
    },
  },
  'text-after-cancel': {
    fails: {
      'stream-goes-on-and-is-shown': replying(asked())
        .at(1400)
        .say({ type: 'abort', reason: 'user' })
        .wait(20)
        .idle()
        .at(2000)
        .say(text(REST))
        .wait(20)
        .show('reply', REPLY),
    },
    passes: {
      'late-text-is-ignored': replying(asked())
        .at(1400)
        .say({ type: 'abort', reason: 'user' })
        .wait(20)
        .idle()
        .at(2000)
        .say(text(REST))
        .at(3000)
        .still('reply'),
      'guard-14-smoothing-catches-up': replying(asked())
        .say(text(REST))
        .at(1400)
        .say({ type: 'abort', reason: 'user' })
        .end()
        .wait(20)
        .idle()
        .at(1800)
        .show('reply', REPLY),
    },
    'cannot-tell': {
      'other-words-come': replying(asked())
        .at(1400)
        .say({ type: 'abort', reason: 'user' })
        .wait(20)
        .idle()
        .at(2000)
        .say(text(REST))
        .wait(20)
        .show('reply', `${HALF} It adds…`),
    },
    'does-not-apply': { completed: settled() },
  },
  'busy-after-settle': {
    fails: {
      'stop-stays': replying(asked())
        .at(1300)
        .say(...stopped)
        .at(8000)
        .tick()
        .still('reply'),
      'stop-goes-late': finishing(replying(asked()).at(1300)).at(7000).idle(),
    },
    passes: {
      'composer-held-back-after-an-error': replying(asked())
        .cue('composer', 'composer', 'disabled')
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(20)
        .show('error', 'An error occurred.', { path: 'main › div' })
        .cue('retry', 'control', 'enabled', 'Retry')
        .idle()
        .at(9000)
        .tick(),
      'guard-06-terminal-is-withheld': replying(asked())
        .say(textEnd)
        .at(9000)
        .tick()
        .at(9100)
        .say(finishStep, finish('stop'))
        .end()
        .wait(50)
        .idle(),
      'idle-soon': settled(),
      'stop-went-between-watches': betweenWatches(),
    },
    'cannot-tell': {
      'another-run-is-open': again(replying(asked()), 1200)
        .at(1400)
        .say(...stopped)
        .at(8000)
        .tick()
        .still('reply'),
    },
    'does-not-apply': {
      'guard-06-waiting-for-approval': replying(asked(), 'I can refund it.')
        .say(...approval, finishStep, finish('tool-calls'), '[DONE]')
        .end()
        .at(9000)
        .tick(),
      open: replying(asked()).at(9000).tick(),
    },
  },
  'busy-after-close': {
    fails: { 'stop-stays': replying(asked()).at(1500).end('eof').at(9000).tick().still('reply') },
    passes: {
      'comes-to-rest': replying(asked()).at(1500).end('eof').wait(50).idle().at(9000).still('reply'),
      'says-it-reconnects': replying(asked())
        .at(1500)
        .end('network-error')
        .wait(50)
        .show('note', 'Reconnecting…', { role: 'status', path: 'main › div' })
        .at(9000)
        .tick()
        .still('reply'),
    },
    'cannot-tell': { 'another-run-is-open': again(replying(asked()), 1200).at(1500).end('eof').at(9000).tick().still('reply') },
    'does-not-apply': {
      settled: settled(),
      'guard-05-reattached': replying(asked())
        .at(1500)
        .end('network-error')
        .at(1800)
        .open('flow-2', { method: 'GET', url: 'https://app.example/api/chat/chat-1/stream' })
        .sayOn('flow-2', start, startStep, textStart, text(HALF))
        .at(9000)
        .tick(),
    },
  },
  'busy-without-run': {
    fails: {
      'busy-again': settled().at(5000).busy().at(12_000).tick().still('reply'),
    },
    passes: {
      'stays-at-rest': settled().at(12_000).tick(),
      'the-next-run-opens': again(settled().at(5000), 5200).at(12_000).tick().still('reply'),
    },
    'cannot-tell': {
      'something-spins': settled().at(5000).cue('spin', 'animation', 'running', 'spinner').at(12_000).tick().still('reply'),
    },
    'does-not-apply': { open: replying(asked()).at(9000).tick() },
  },
  'duplicate-text': {
    fails: {
      'replay-appended': replying(asked(), 'The report has ')
        .at(1400)
        .end('network-error')
        .at(1500)
        .open('flow-2', { method: 'GET', url: 'https://app.example/api/chat/chat-1/stream' })
        .at(1600)
        .sayOn('flow-2', start, startStep, textStart, text('The report has '), text('four sections.'), ...stopped)
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply', 'The report has The report has four sections.')
        .wait(20)
        .idle()
        .at(3000)
        .still('reply'),
      'shown-in-two-messages': finishing(replying(asked()).show('reply-2', HALF, ASSISTANT))
        .wait(50)
        .idle()
        .at(3000)
        .still('reply', 'reply-2'),
    },
    passes: {
      'words-of-the-reasoning-beside-it': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning('They ask for the retention window of the logs.'), reasoningEnd)
          .say(textStart, text('The retention window of the logs is ninety days, counted from the moment of ingestion.'))
          .wait(20)
          .show(
            'reply',
            'They ask for the retention window of the logs. The retention window of the logs is ninety days, counted from the moment of ingestion.',
          ),
      )
        .wait(50)
        .idle()
        .at(3000)
        .still('reply'),
      once: settled(),
      'guard-10-cumulative-deltas': asked({ headers: SSE, url: 'https://app.example/apps/run_sse' })
        .at(1100)
        .say(
          {
            content: { parts: [{ text: 'The report ' }], role: 'model' },
            partial: true,
            author: 'a',
            id: 'e1',
            invocationId: 'i1',
            actions: {},
            timestamp: 1,
          },
          {
            content: { parts: [{ text: 'has four sections.' }], role: 'model' },
            partial: true,
            author: 'a',
            id: 'e2',
            invocationId: 'i1',
            actions: {},
            timestamp: 2,
          },
          {
            content: { parts: [{ text: 'The report has four sections.' }], role: 'model' },
            finishReason: 'STOP',
            author: 'a',
            id: 'e3',
            invocationId: 'i1',
            actions: {},
            timestamp: 3,
          },
        )
        .wait(20)
        .show('reply', 'The report has four sections.')
        .end()
        .wait(50)
        .idle()
        .at(3000)
        .still('reply'),
      'announced-as-well': finishing(replying(asked()).show('live', HALF, { path: 'body › div', role: 'status' }))
        .wait(50)
        .idle()
        .at(3000)
        .still('reply'),
    },
    'cannot-tell': {
      'preview-elsewhere': finishing(replying(asked()).show('side', HALF, { path: 'nav › li' }))
        .wait(50)
        .idle()
        .at(3000)
        .still('reply', 'side'),
    },
    'does-not-apply': { 'nothing-shown': finishing(asked().at(1100).say(start, startStep, textStart, text(HALF))) },
  },
  'provisional-not-replaced': {
    fails: {
      'draft-stays': drafted(runner()).end().wait(50).idle().at(4000).still('reply'),
      'progress-in-its-place': committing(announcing(runner()).wait(20).show('reply', ANNOUNCED, ASSISTANT))
        .end()
        .wait(50)
        .idle()
        .at(4000)
        .still('reply'),
    },
    passes: { 'draft-replaced': drafted(runner()).end().wait(50).show('reply', FINAL).idle().at(4000).still('reply') },
    'cannot-tell': { 'too-soon': drafted(runner()).end().wait(50).idle() },
    'does-not-apply': {
      'nothing-differs': settled(),
      'progress-in-a-place-of-its-own': committing(
        announcing(runner()).wait(20).show('plan', ANNOUNCED, { path: 'main › ul › li', label: 'Progress', presentedAs: 'progress' }),
      )
        .end()
        .wait(50)
        .idle()
        .at(4000)
        .still('plan'),
    },
  },
  'provisional-discarded': {
    fails: {
      'step-reset': replying(asked())
        .at(1900)
        .say({ type: 'reset-step' })
        .wait(20)
        .hide('reply')
        .say({ type: 'text-start', id: 't2' }, text('No, wait.', 't2'), { type: 'text-end', id: 't2' }, finishStep, finish('stop'))
        .end(),
    },
    passes: {
      stays: settled(),
      'guard-13-turn-removed-on-error': replying(asked())
        .at(1900)
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(20)
        .hide('reply')
        .idle(),
    },
    'cannot-tell': { 'still-open': replying(asked()).at(1900).hide('reply').at(2500).tick() },
    'does-not-apply': { 'nothing-shown': finishing(asked().at(1100).say(start, startStep, textStart, text(HALF))) },
  },
  'committed-lost': {
    fails: {
      'composer-back-and-nothing-drawn': finishing(
        bare().at(1010).cue('composer', 'composer', 'disabled').at(1100).say(start, startStep, textStart, text(REPLY)),
      )
        .wait(50)
        .cue('composer', 'composer', 'enabled')
        .at(4000)
        .watch('stopped'),
      'never-parsed': finishing(asked().at(1100).say(start, startStep, textStart, text(REPLY)))
        .wait(50)
        .idle()
        .at(4000)
        .watch('stopped'),
      'other-text-shown': drafted(runner()).end().wait(50).hide('reply').show('reply', 'Two of them.').idle().at(4000).still('reply'),
    },
    passes: {
      shown: settled(),
      'a-new-chat-is-begun': settled().hide('reply').hide('you').at(8000).tick(),
      'the-next-try-is-refused': refused(settled().hide('reply').busy()).idle().show('note', OOPS, TURN).wait(4000).still('note').tick(),
      'in-paragraphs': finishing(
        replying(asked(), HALF)
          .say(text(`\n\n${REST}`))
          .wait(20)
          .show('reply-2', REST),
      )
        .wait(50)
        .idle()
        .at(4000)
        .still('reply', 'reply-2'),
    },
    'cannot-tell': {
      'written-into-a-field': finishing(
        bare()
          .at(1010)
          .cue('composer', 'composer', 'disabled')
          .at(1100)
          .say(start, startStep, textStart, text(REPLY))
          .wait(20)
          .cue('filled', 'attribute', 'by the page', 'filled'),
      )
        .wait(50)
        .cue('composer', 'composer', 'enabled')
        .at(4000)
        .watch('stopped'),
      shortened: finishing(
        replying(
          asked(),
          'The migration is safe to run. It adds one nullable column to the orders table, which nobody reads yet, and nothing else.',
        ).show('reply', 'The migration is safe to run. Show more'),
      )
        .wait(50)
        .idle()
        .at(4000)
        .still('reply'),
    },
    'does-not-apply': {
      'guard-07-a-call-in-the-background': finishing(
        scene().rest().at(1000).open('flow-1').at(1100).say(start, startStep, textStart, text('Safe migrations in practice')),
      )
        .at(4000)
        .watch('stopped'),
      failed: replying(asked()).say({ type: 'error', errorText: 'The model is overloaded' }).end().wait(50).idle().at(4000).still('reply'),
      'committed-and-then-failed': replying(asked())
        .say(textEnd, { type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(50)
        .hide('reply')
        .show('note', 'The turn was taken back.', { path: 'main › p' })
        .idle()
        .at(4000)
        .still('note'),
    },
  },
  'missing-head': {
    fails: {
      'after-a-reattach': asked()
        .at(1100)
        .say(start, startStep, textStart, text('The migration is safe to run at any time. '))
        .at(1400)
        .end('network-error')
        .at(1500)
        .open('flow-2', { method: 'GET', url: 'https://app.example/api/chat/chat-1/stream' })
        .at(1600)
        .sayOn(
          'flow-2',
          start,
          startStep,
          textStart,
          text('The migration is safe to run at any time. '),
          text('It adds one nullable column to the orders table.'),
          ...stopped,
        )
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply', 'It adds one nullable column to the orders table.')
        .wait(20)
        .idle()
        .at(3000)
        .still('reply'),
    },
    passes: { whole: settled() },
    'cannot-tell': {
      'first-paragraph-not-found': finishing(
        asked()
          .at(1100)
          .say(
            start,
            startStep,
            textStart,
            text('The migration is safe to run at any time.\n\nIt adds one nullable column to the orders table.'),
          )
          .wait(20)
          .show('reply', 'It adds one nullable column to the orders table.'),
      )
        .wait(50)
        .idle()
        .at(3000)
        .still('reply'),
    },
    'does-not-apply': { 'nothing-shown': finishing(asked().at(1100).say(start, startStep, textStart, text(HALF))) },
  },
  'tool-done-early': {
    fails: {
      'done-at-the-call': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-state', 'attribute', 'complete', 'data-state', { region: 'row' })
        .at(3000)
        .say({ type: 'tool-output-available', toolCallId: 'c1', output: 4 }, finishStep, finish('stop'))
        .end(),
      'done-though-it-failed': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-state', 'attribute', 'running', 'data-state', { region: 'row' })
        .at(3000)
        .say({ type: 'tool-output-error', toolCallId: 'c1', errorText: 'no such table' })
        .wait(20)
        .cue('row-state', 'attribute', 'complete', 'data-state', { region: 'row' })
        .say(finishStep, finish('stop'))
        .end(),
    },
    passes: {
      'done-with-its-result': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-state', 'attribute', 'running', 'data-state', { region: 'row' })
        .at(3000)
        .say({ type: 'tool-output-available', toolCallId: 'c1', output: 4 })
        .wait(20)
        .cue('row-state', 'attribute', 'complete', 'data-state', { region: 'row' })
        .say(finishStep, finish('stop'))
        .end(),
    },
    'cannot-tell': {
      'sightings-lost': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .gap('relay-lost', null, 2)
        .cue('row-state', 'attribute', 'complete', 'data-state', { region: 'row' })
        .at(3000)
        .say({ type: 'tool-output-available', toolCallId: 'c1', output: 4 }, finishStep, finish('stop'))
        .end(),
    },
    'does-not-apply': { 'no-tool': settled() },
  },
  'tool-left-pending': {
    fails: {
      'spinner-stays-after-the-error': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-state', 'attribute', 'running', 'data-state', { region: 'row' })
        .at(1400)
        .say({ type: 'error', errorText: 'Tool retries used up' })
        .end()
        .wait(20)
        .idle()
        .show('toast', 'Tool retries used up', { role: 'alert', path: 'body › div' })
        .at(4000)
        .still('reply', 'row'),
    },
    passes: {
      'row-ends-with-the-run': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-state', 'attribute', 'running', 'data-state', { region: 'row' })
        .at(1400)
        .say({ type: 'error', errorText: 'Tool retries used up' })
        .end()
        .wait(20)
        .cue('row-state', 'attribute', 'error', 'data-state', { region: 'row' })
        .idle()
        .at(4000)
        .still('reply', 'row'),
    },
    'cannot-tell': {
      'two-marks-disagree': replying(asked())
        .say(textEnd, call)
        .wait(20)
        .show('row', 'flaky_lookup', TOOL)
        .cue('row-spin', 'animation', 'running', null, { region: 'row' })
        .cue('row-state', 'attribute', 'running', 'data-state', { region: 'row' })
        .at(1400)
        .say({ type: 'error', errorText: 'Tool retries used up' })
        .end()
        .wait(20)
        .cue('row-state', 'attribute', 'failed', 'data-state', { region: 'row' })
        .idle()
        .at(4000)
        .still('reply', 'row'),
    },
    'does-not-apply': {
      'guard-06-waiting-for-approval': replying(asked(), 'I can refund it.')
        .say(...approval)
        .wait(20)
        .show('row', 'refund', TOOL)
        .cue('row-state', 'attribute', 'pending', 'data-state', { region: 'row' })
        .say(finishStep, finish('tool-calls'))
        .end()
        .at(9000)
        .tick(),
      'no-tool': settled(),
    },
  },
  'wrong-run': {
    fails: {
      'appended-to-an-earlier-answer': again(settled(), 5000)
        .at(5300)
        .sayOn('flow-2', text(SECOND, 't2'))
        .wait(20)
        .show('reply', `${HALF} ${SECOND}`)
        .at(5600)
        .sayOn(
          'flow-2',
          { type: 'text-end', id: 't2' },
          { type: 'text-start', id: 't3' },
          text('Shall I write it down for you?', 't3'),
          { type: 'text-end', id: 't3' },
          finishStep,
          finish('stop'),
        )
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply-2', 'Shall I write it down for you?', ASSISTANT)
        .idle()
        .at(8000)
        .still('reply', 'reply-2'),
    },
    passes: {
      'one-place-for-all': again(settled(), 5000)
        .at(5300)
        .sayOn('flow-2', text(SECOND, 't2'), { type: 'text-end', id: 't2' }, finishStep, finish('stop'))
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply', `${HALF} ${SECOND}`)
        .idle()
        .at(8000)
        .still('reply'),
      'in-a-place-of-its-own': again(settled(), 5000)
        .at(5300)
        .sayOn('flow-2', text(SECOND, 't2'), { type: 'text-end', id: 't2' }, finishStep, finish('stop'))
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply-2', SECOND, ASSISTANT)
        .idle()
        .at(8000)
        .still('reply-2'),
    },
    'cannot-tell': {
      'sightings-lost': again(settled(), 5000)
        .gap('relay-lost', null, 4)
        .at(5300)
        .sayOn('flow-2', text(SECOND, 't2'))
        .wait(20)
        .show('reply', `${HALF} ${SECOND}`)
        .at(5600)
        .sayOn(
          'flow-2',
          { type: 'text-end', id: 't2' },
          { type: 'text-start', id: 't3' },
          text('Shall I write it down for you?', 't3'),
          { type: 'text-end', id: 't3' },
          finishStep,
          finish('stop'),
        )
        .end('eof', 'flow-2')
        .wait(20)
        .show('reply-2', 'Shall I write it down for you?', ASSISTANT)
        .idle()
        .at(8000)
        .still('reply', 'reply-2'),
    },
    'does-not-apply': { 'only-run': settled() },
  },
  'decode-damage': {
    fails: {
      'split-character': finishing(
        asked()
          .at(1100)
          .say(start, startStep, textStart, text('Die Migration läuft über Nacht durch.'))
          .wait(20)
          .show('reply', 'Die Migration l\uFFFD\uFFFDuft über Nacht durch.'),
      )
        .wait(50)
        .idle(),
    },
    passes: {
      whole: finishing(
        asked()
          .at(1100)
          .say(start, startStep, textStart, text('Die Migration läuft über Nacht durch.'))
          .wait(20)
          .show('reply', 'Die Migration läuft über Nacht durch.'),
      )
        .wait(50)
        .idle(),
      'the-stream-has-it': finishing(
        asked()
          .at(1100)
          .say(start, startStep, textStart, text('The mark \uFFFD stands for what could not be read.'))
          .wait(20)
          .show('reply', 'The mark \uFFFD stands for what could not be read.'),
      )
        .wait(50)
        .idle(),
    },
    'cannot-tell': {
      'much-of-it-damaged': finishing(
        asked()
          .at(1100)
          .say(start, startStep, textStart, text('移行は完了しました。次に進みます。データは安全です。'))
          .wait(20)
          .show('reply', '移行は完了しました。次に進み\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD'),
      )
        .wait(50)
        .idle(),
    },
    'does-not-apply': { 'nothing-shown': finishing(asked().at(1100).say(start, startStep, textStart, text(HALF))) },
  },
};

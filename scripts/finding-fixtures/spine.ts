/** Fixtures of the rules that carry the rest. */
import {
  ASSISTANT,
  asked,
  content,
  finish,
  finishing,
  finishStep,
  HALF,
  LONG,
  REPLY,
  reasoning,
  reasoningEnd,
  reasoningStart,
  replying,
  SSE,
  type Stories,
  scene,
  start,
  startStep,
  THINKING,
  THOUGHT,
  text,
  textEnd,
  textStart,
  wire,
} from './stories';

/** Within a word. */
const BREAK = LONG.indexOf('readers') + 3;
const REST = REPLY.slice(HALF.length);
const stopped = (reason = 'stop') => [textEnd, finishStep, finish(reason), '[DONE]'] as const;

export const SPINE: Stories = {
  'final-before-settle': {
    fails: {
      'cut-with-the-first-words': asked()
        .at(1100)
        .say(start, startStep, textStart, text(HALF))
        .wait(5)
        .end('aborted-by-page')
        .idle()
        .show('reply', HALF, ASSISTANT)
        .wait(300)
        .still('reply'),
      'first-words-in-the-same-render': asked()
        .at(1100)
        .say(start, startStep, textStart, text(HALF))
        .wait(5)
        .idle()
        .show('reply', HALF, ASSISTANT)
        .at(1400)
        .say(text(REST))
        .wait(20)
        .show('reply', REPLY)
        .say(...stopped())
        .end()
        .wait(100)
        .still('reply'),
      'stop-gone-mid-answer': replying(asked())
        .at(1200)
        .idle()
        .at(1400)
        .say(text(REST))
        .wait(20)
        .show('reply', REPLY)
        .say(...stopped())
        .end()
        .wait(100)
        .still('reply'),
      'done-between-steps': replying(asked())
        .say(textEnd)
        .at(1200)
        .idle()
        .at(1500)
        .say(
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'lookup', input: {} },
          { type: 'tool-output-available', toolCallId: 'c1', output: 1 },
        )
        .say(
          finishStep,
          startStep,
          { type: 'text-start', id: 't2' },
          text('Done.', 't2'),
          { type: 'text-end', id: 't2' },
          finishStep,
          finish('stop'),
        )
        .end(),
      'page-cuts-the-stream': scene()
        .rest()
        .at(1000)
        .open('flow-1')
        .cue('composer', 'composer', 'disabled')
        .at(1100)
        .say(start, startStep, textStart, text(HALF))
        .wait(10)
        .show('reply', HALF)
        .at(1400)
        .cue('composer', 'composer', 'enabled')
        .wait(5)
        .end('aborted-by-page'),
      'page-says-so-itself': replying(scene().rest().at(1000).open('flow-1').cue('mark', 'outright', 'working'))
        .at(1200)
        .cue('mark', 'outright', 'final')
        .at(1400)
        .say(text(REST))
        .wait(20)
        .show('reply', REPLY)
        .say(...stopped())
        .end(),
      'no-sign-at-all': finishing(
        replying(scene().rest().at(1000).open('flow-1')).at(1900).say(text(REST)).wait(20).show('reply', REPLY).at(2500),
      ),
      'state-attribute-only': replying(scene().rest().at(1000).open('flow-1').cue('state', 'attribute', 'streaming', 'data-state'))
        .at(1300)
        .cue('state', 'attribute', 'done', 'data-state')
        .at(1500)
        .say(text(REST))
        .wait(20)
        .show('reply', REPLY)
        .say(...stopped())
        .end(),
    },
    passes: {
      'stop-gone-after-finish': finishing(replying(asked()).at(1200).say(text(REST)).wait(20).show('reply', REPLY).at(1300))
        .at(1350)
        .idle()
        .wait(100)
        .still('reply'),
      'guard-06-busy-while-terminal-is-withheld': replying(asked()).say(textEnd).at(9000).tick(),
      'guard-12-stop-refused-and-shown': replying(asked())
        .at(1200)
        .idle()
        .show('note', 'Stopped', { path: 'main › article › small' })
        .at(1400)
        .say(text(REST))
        .say(...stopped())
        .end(),
      'guard-13-interrupted-note': replying(asked())
        .at(1200)
        .idle()
        .show('note', 'Connection lost', { path: 'main › aside', role: 'status' })
        .at(1500)
        .say(text(REST), ...stopped())
        .end(),
      'guard-14-text-smoothed-after-the-end': finishing(replying(asked()).at(1200).say(text(REST)))
        .at(1250)
        .idle()
        .at(1400)
        .show('reply', REPLY.slice(0, 40))
        .at(1600)
        .show('reply', REPLY)
        .wait(100)
        .still('reply'),
      'caret-fades-later': finishing(
        replying(asked().cue('caret', 'caret', 'on'))
          .at(1200)
          .say(text(REST))
          .wait(20)
          .show('reply', REPLY)
          .at(1300),
      )
        .at(1320)
        .idle()
        .at(1700)
        .cue('caret', 'caret', null),
      'flicker-of-one-frame': finishing(
        replying(asked()).at(1200).idle().at(1220).busy().at(1300).say(text(REST)).wait(20).show('reply', REPLY),
      )
        .at(1500)
        .idle(),
      'person-stopped-it': replying(asked()).at(1200).idle().wait(5).end('aborted-by-page'),
      'typing-dots-until-the-first-word': finishing(
        replying(scene().rest().at(1000).open('flow-1').cue('composer', 'composer', 'disabled').cue('dots', 'animation', 'running', 'dots'))
          .cue('dots', 'animation', null, 'dots')
          .at(1300)
          .say(text(REST))
          .wait(20)
          .show('reply', REPLY),
      )
        .wait(50)
        .cue('composer', 'composer', 'enabled'),
    },
    'cannot-tell': {
      'send-switched-by-typing-too': replying(scene().rest().at(1000).open('flow-1').cue('send', 'control', 'disabled', 'Send'))
        .at(1300)
        .cue('send', 'control', 'enabled', 'Send')
        .at(1500)
        .say(text(REST), ...stopped())
        .end(),
      'sightings-lost': replying(asked())
        .gap('relay-lost', null, 3)
        .at(1200)
        .idle()
        .at(1400)
        .say(text(REST), ...stopped())
        .end(),
    },
    'does-not-apply': {
      'nothing-watched': wire().say(start, startStep, textStart, text(HALF)),
      'guard-07-text-nobody-said': asked().at(1200).show('hint', 'Ask me anything about your database.').idle().at(1500).say(start),
      'a-picture-in-place-of-send-that-stays': finishing(
        replying(scene().rest().at(1000).open('flow-1').at(1010).cue('send', 'control', null, 'Send').cue('square', 'control', 'enabled'))
          .at(1900)
          .say(text(REST))
          .wait(20)
          .show('reply', REPLY)
          .at(2500),
      )
        .at(6000)
        .tick(),
    },
  },
  'final-never-settled': {
    fails: {
      'no-cue-on-the-page': scene()
        .rest()
        .at(1000)
        .open('flow-1')
        .at(1100)
        .say(start, startStep, textStart, text(HALF))
        .wait(20)
        .show('reply', HALF.slice(0, 12), ASSISTANT)
        .at(1900)
        .show('reply', HALF)
        .at(2500)
        .end('eof')
        .at(6000)
        .still('reply')
        .tick(),
      'stop-gone-at-eof': replying(asked()).at(1500).end('eof').wait(20).idle().wait(100).still('reply'),
      'stop-gone-at-reset': replying(asked()).at(1500).end('network-error').wait(20).idle().wait(100).still('reply'),
      'the-reasoning-delta-was-last': asked()
        .at(1100)
        .say(start, startStep, reasoningStart, reasoning(THOUGHT))
        .wait(20)
        .show('reply', THOUGHT)
        .at(1500)
        .end('eof')
        .wait(20)
        .idle(),
    },
    passes: {
      'keeps-the-spinner': replying(asked()).at(1500).end('eof').at(1600).still('reply').at(9000).tick(),
      'guard-13-retry-offered': replying(asked()).at(1500).end('network-error').wait(20).idle().cue('retry', 'control', 'enabled', 'Retry'),
      'guard-13-notice': replying(asked())
        .at(1500)
        .end('network-error')
        .wait(20)
        .idle()
        .show('note', 'network error', { path: 'main › div' }),
      'guard-13-state-says-interrupted': replying(asked().cue('state', 'attribute', 'streaming', 'data-state'))
        .at(1500)
        .end('eof')
        .wait(20)
        .idle()
        .cue('state', 'attribute', 'interrupted', 'data-state'),
      'guard-05-page-stays-busy-and-reattaches': replying(asked())
        .at(1500)
        .end('network-error')
        .at(1800)
        .open('flow-2', { method: 'GET', url: 'https://app.example/api/chat/chat-1/stream' })
        .sayOn('flow-2', start, startStep, textStart, text(HALF))
        .at(2000)
        .sayOn('flow-2', text(REST))
        .wait(20)
        .show('reply', REPLY)
        .at(2100)
        .end('network-error', 'flow-2'),
    },
    'cannot-tell': {
      'tail-missing': replying(asked()).at(1400).gap('over-budget').at(1500).end('eof').wait(20).idle(),
      'the-rest-comes-from-elsewhere': replying(asked())
        .at(1500)
        .end('eof')
        .at(1700)
        .show('reply', `${HALF} It adds one column.`)
        .wait(20)
        .idle()
        .wait(100)
        .still('reply'),
    },
    'does-not-apply': {
      settled: finishing(replying(asked())).wait(50).idle(),
      'guard-03-no-terminal-word': asked({ headers: { 'content-type': 'text/plain; charset=utf-8' } })
        .at(1100)
        .raw('The backup ran at two ')
        .wait(50)
        .raw('and copied all files.')
        .wait(20)
        .show('reply', 'The backup ran at two and copied all files.')
        .at(1500)
        .end('eof')
        .wait(20)
        .idle(),
      'turn-removed': replying(asked()).at(1500).end('network-error').wait(20).hide('reply').idle(),
    },
  },
  'reasoning-as-answer': {
    fails: {
      'before-a-long-answer-in-one-block': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd, textStart, text(LONG))
          .wait(20)
          .show('reply', `${THOUGHT} ${LONG}`),
      )
        .wait(50)
        .idle(),
      'all-that-is-shown': asked()
        .at(1100)
        .say(start, startStep, reasoningStart, reasoning(THOUGHT))
        .wait(20)
        .show('reply', THOUGHT)
        .at(1500)
        .end('eof')
        .wait(20)
        .idle(),
      'in-the-assistants-place': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('thought', THOUGHT, { presentedAs: 'assistant' })
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, { presentedAs: 'assistant' }),
      )
        .wait(50)
        .idle(),
      'same-kind-of-place': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('thought', THOUGHT, { path: 'main › article › p:1' })
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, { path: 'main › article › p:2' }),
      )
        .wait(50)
        .idle(),
      'tags-in-the-content': asked({ headers: SSE, url: 'https://app.example/v1/chat/completions' })
        .at(1100)
        .say(content('', 'assistant'), content(`<think>${THOUGHT}</think>`), content(HALF))
        .wait(20)
        .show('reply', `<think>${THOUGHT}</think>${HALF}`)
        .at(1300)
        .say(content(null, undefined, 'stop'), '[DONE]')
        .end()
        .wait(50)
        .idle(),
    },
    passes: {
      'guard-02-in-a-labelled-disclosure': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('thought', THOUGHT, THINKING)
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, ASSISTANT),
      )
        .wait(50)
        .idle(),
      'guard-02-a-visibly-different-block': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('thought', THOUGHT, { path: 'main › article › blockquote › p' })
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, ASSISTANT),
      )
        .wait(50)
        .idle(),
      'gone-before-the-end': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('reply', THOUGHT)
          .at(1300)
          .hide('reply')
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF),
      )
        .wait(50)
        .idle(),
      'guard-09-same-words-in-two-voices': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(HALF), reasoningEnd)
          .wait(20)
          .show('thought', HALF, THINKING)
          .at(1300)
          .say(textStart, text(HALF))
          .wait(20)
          .show('reply', HALF, ASSISTANT),
      )
        .wait(50)
        .idle(),
    },
    'cannot-tell': {
      'lines-that-break-words': finishing(
        asked()
          .at(1100)
          .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
          .wait(20)
          .show('line-1', THOUGHT, { path: 'div.rows › div' })
          .at(1300)
          .say(textStart, text(LONG))
          .wait(20)
          .show('line-2', LONG.slice(0, BREAK), { path: 'div.rows › div' })
          .show('line-3', LONG.slice(BREAK), { path: 'div.rows › div' }),
      )
        .wait(50)
        .idle(),
      'alone-on-a-page-without-cues': asked()
        .at(1100)
        .say(start, startStep, reasoningStart, reasoning(THOUGHT), reasoningEnd)
        .wait(20)
        .show('reply', THOUGHT)
        .say(finishStep, finish('length'), '[DONE]')
        .end(),
    },
    'does-not-apply': {
      'guard-01-an-answer-about-think-tags': finishing(replying(asked(), 'A model may wrap its reasoning in <think> and </think> tags.'))
        .wait(50)
        .idle(),
      'no-reasoning': finishing(replying(asked())).wait(50).idle(),
    },
  },
  'waiting-as-done': {
    fails: {
      'a-tool-call-that-nobody-answers': replying(asked(), 'Let me look that up.')
        .say(
          textEnd,
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'geo', input: {} },
          finishStep,
          finish('tool-calls'),
          '[DONE]',
        )
        .end()
        .wait(50)
        .idle()
        .wait(4000)
        .tick(),
      'approval-not-shown': replying(asked(), 'I can refund order 77.')
        .say(textEnd, { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { order: 77 } })
        .say({ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }, finishStep, finish('tool-calls'), '[DONE]')
        .end()
        .wait(50)
        .idle()
        .wait(100)
        .still('reply'),
      'interrupt-taken-for-success': asked({ headers: SSE, url: 'https://app.example/agui' })
        .at(1100)
        .say(
          { type: 'RUN_STARTED', threadId: 'th1', runId: 'run1' },
          { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I can refund order 77.' },
          { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
        )
        .wait(20)
        .show('reply', 'I can refund order 77.')
        .at(1300)
        .say({
          type: 'RUN_FINISHED',
          threadId: 'th1',
          runId: 'run1',
          outcome: { type: 'interrupt', interrupts: [{ id: 'int-1', reason: 'tool_call', message: 'Refund order 77?' }] },
        })
        .end()
        .wait(50)
        .idle(),
    },
    passes: {
      'buttons-that-came-with-the-call': replying(asked(), 'Let me look that up.')
        .say(textEnd, { type: 'tool-input-available', toolCallId: 'c1', toolName: 'geo', input: {} })
        .wait(20)
        .cue('yes', 'control', 'enabled', 'Allow')
        .cue('no', 'control', 'enabled', 'Deny')
        .wait(1500)
        .say(finishStep, finish('tool-calls'), '[DONE]')
        .end()
        .wait(50)
        .idle()
        .wait(4000)
        .tick(),
      'approval-buttons': replying(asked(), 'I can refund order 77.')
        .say(textEnd, { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { order: 77 } })
        .say({ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }, finishStep, finish('tool-calls'), '[DONE]')
        .end()
        .wait(50)
        .idle()
        .cue('approve', 'control', 'enabled', 'Approve')
        .cue('deny', 'control', 'enabled', 'Deny'),
      'guard-06-stays-busy': replying(asked(), 'I can refund order 77.')
        .say(textEnd, { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { order: 77 } })
        .say({ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }, finishStep, finish('tool-calls'), '[DONE]')
        .end()
        .at(4000)
        .tick(),
    },
    'cannot-tell': {
      'a-tool-the-page-owes': replying(asked(), 'Let me look that up.')
        .say(
          textEnd,
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'geo', input: {} },
          finishStep,
          finish('tool-calls'),
          '[DONE]',
        )
        .end()
        .wait(50)
        .idle(),
    },
    'does-not-apply': { completed: finishing(replying(asked())).wait(50).idle() },
  },
  'error-as-done': {
    fails: {
      'no-cue-on-the-page': scene()
        .rest()
        .at(1000)
        .open('flow-1')
        .at(1100)
        .say(start, startStep, textStart, text(HALF))
        .wait(20)
        .show('reply', HALF.slice(0, 12), ASSISTANT)
        .at(1900)
        .show('reply', HALF)
        .at(2500)
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .at(6000)
        .tick()
        .still('reply'),
      'no-sign-of-it': replying(asked())
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' }, '[DONE]')
        .end()
        .wait(30)
        .idle()
        .wait(100)
        .still('reply'),
    },
    passes: {
      'error-shown': replying(asked())
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' }, '[DONE]')
        .end()
        .wait(30)
        .idle()
        .show('note', 'The model is overloaded', { path: 'main › div.error', role: 'alert' }),
      'guard-07-a-notice-of-its-own': replying(asked())
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' }, '[DONE]')
        .end()
        .wait(30)
        .idle()
        .show('note', 'An error occurred.', { path: 'main › div' }),
      'turn-removed': replying(asked())
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(30)
        .hide('reply')
        .idle(),
    },
    'cannot-tell': {
      'too-short-a-look': replying(scene().rest().at(1000).open('flow-1'))
        .at(1300)
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .end()
        .wait(200)
        .still('reply'),
    },
    'does-not-apply': { completed: finishing(replying(asked())).wait(50).idle() },
  },
  'severed-stream': {
    fails: {
      'eof-in-the-answer': wire().at(1100).say(start, startStep, textStart, text(HALF)).at(1500).end('eof'),
      'reset-after-reasoning': wire().at(1100).say(start, startStep, reasoningStart, reasoning(THOUGHT)).at(1500).end('network-error'),
      'sentinel-is-missing-too': wire().at(1100).say(start, startStep, textStart, text(REPLY), textEnd, finishStep).at(1500).end('eof'),
    },
    passes: {
      settled: finishing(wire().at(1100).say(start, startStep, textStart, text(HALF))),
      'guard-04-sentinel-only': wire({ headers: SSE, url: 'https://app.example/v1/chat/completions' })
        .at(1100)
        .say(content('', 'assistant'), content(HALF), '[DONE]')
        .end('eof'),
    },
    'cannot-tell': {
      'tail-missing': wire().at(1100).say(start, startStep, textStart, text(HALF)).gap('over-budget').at(1500).end('eof'),
    },
    'does-not-apply': {
      'still-open': wire().at(1100).say(start, startStep, textStart, text(HALF)),
      'page-cancelled': wire().at(1100).say(start, startStep, textStart, text(HALF)).at(1500).end('aborted-by-page'),
      'guard-03-no-terminal-word': wire({ headers: { 'content-type': 'text/plain; charset=utf-8' } })
        .at(1100)
        .raw('The backup ran ')
        .wait(50)
        .raw('at two.')
        .at(1500)
        .end('eof'),
      'guard-05-nothing-to-resume': wire({ method: 'GET', url: 'https://app.example/api/chat/chat-1/stream', status: 204, headers: {} })
        .at(1100)
        .end('eof'),
      'an-answer-and-no-stream': wire({ headers: { 'content-type': 'application/json' }, url: 'https://app.example/rpc' })
        .at(1100)
        .raw('{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"working"}}}')
        .end('eof'),
    },
  },
};

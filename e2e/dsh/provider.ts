/**
 * A model provider for the host: chat completions as a server-sent stream, scripted. The newest user message that says
 * `scenario: <name>` chooses the script; a request that offers no tools is the host asking for a title.
 */
import { createServer, type ServerResponse } from 'node:http';

/** What the scripts say, for the cases to compare with. */
export const SAID = {
  thought: 'The question is about water at sea level, so the usual figure will do.',
  answer: 'At sea level, water boils at 100 degrees Celsius.',
  wrong: 'Water boils at 90 degrees',
  finished: 'The migration is finished and every test passes.',
  cutShort: 'Step one is to gather the parts. Step two is to lay them out. Step three is to',
  long: 'Here is a long answer that keeps going. '.repeat(12).trim(),
  question: 'Which colour should the button be?',
  chosen: 'Thanks, going with that choice.',
  started: 'The helper is running. I am done for now.',
  childAnswer: 'Child answer, given late.',
  woken: 'The helper finished after I had stopped.',
} as const;

interface Message {
  readonly role: string;
  readonly content: unknown;
}
interface Script {
  /** Messages after the one that chose the script. */
  readonly after: readonly Message[];
  /** How many requests with this very conversation came before. */
  readonly before: number;
}

const PACE_MS = 40;

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
      : '';

const createReply = (response: ServerResponse) => {
  let gone = false;
  response.on('close', () => {
    gone = true;
  });
  const chunk = (choices: readonly unknown[], more: object = {}): void => {
    if (!gone)
      response.write(
        `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices, ...more })}\n\n`,
      );
  };
  const delta = (delta: object, finish: string | null = null): void => chunk([{ index: 0, delta, finish_reason: finish }]);
  const words = async (field: 'content' | 'reasoning_content', text: string, ms = PACE_MS): Promise<void> => {
    for (const word of text.match(/\S+\s*/gu) ?? []) {
      if (gone) return;
      delta({ [field]: word });
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  };
  return {
    open: () => response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }),
    think: (text: string, ms?: number) => words('reasoning_content', text, ms),
    say: (text: string, ms?: number) => words('content', text, ms),
    call: (name: string, input: object) =>
      delta({ tool_calls: [{ index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }] }),
    end: (finish: 'stop' | 'length' | 'tool_calls') => {
      delta({}, finish);
      chunk([], { usage: { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 } });
      if (!gone) response.end('data: [DONE]\n\n');
    },
    /** The body ends, cleanly, before it is finished. */
    stopShort: (): void => {
      response.end();
    },
    /** The connection is torn down. */
    reset: (): void => {
      response.socket?.resetAndDestroy();
    },
  };
};
type Reply = ReturnType<typeof createReply>;

const SCRIPTS: Readonly<Record<string, (reply: Reply, script: Script) => Promise<void>>> = {
  async plain(reply) {
    await reply.think(SAID.thought);
    await reply.say(SAID.answer);
    reply.end('stop');
  },
  async retried(reply, { before }) {
    if (before === 0) {
      await reply.say(SAID.wrong, 300);
      return reply.reset();
    }
    await reply.say(SAID.answer);
    reply.end('stop');
  },
  async unfinished(reply) {
    await reply.think(SAID.thought);
    await reply.say(SAID.finished);
    reply.stopShort();
  },
  async ceiling(reply) {
    await reply.say(SAID.cutShort);
    reply.end('length');
  },
  async long(reply) {
    await reply.say(SAID.long, 60);
    reply.end('stop');
  },
  async question(reply, { after }) {
    if (after.some(({ role }) => role === 'tool')) {
      await reply.say(SAID.chosen);
      return reply.end('stop');
    }
    reply.call('ask_user_question', {
      questions: [{ id: 'q1', question: SAID.question, header: 'Colour', options: [{ label: 'Blue' }, { label: 'Green' }] }],
    });
    reply.end('tool_calls');
  },
  async background(reply, { after }) {
    if (!after.some(({ role }) => role === 'tool')) {
      reply.call('subagent', { description: 'Background helper', prompt: 'scenario: child', run_in_background: true });
      return reply.end('tool_calls');
    }
    await reply.say(after.some(({ content }) => textOf(content).startsWith('Background subagent')) ? SAID.woken : SAID.started);
    reply.end('stop');
  },
  async child(reply) {
    await reply.say(SAID.childAnswer, 500);
    reply.end('stop');
  },
};

export interface Provider {
  readonly origin: string;
  close(): Promise<void>;
}

export const startProvider = async (): Promise<Provider> => {
  const seen = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { messages?: Message[]; tools?: unknown[] };
    const messages = body.messages ?? [];
    const reply = createReply(response);
    reply.open();
    if ((body.tools?.length ?? 0) === 0) {
      await reply.say('A title', 5);
      return reply.end('stop');
    }
    const at = messages.findLastIndex(({ role, content }) => role === 'user' && /scenario: \w+/u.test(textOf(content)));
    const name = /scenario: (\w+)/u.exec(textOf(messages[at]?.content))?.[1] ?? 'plain';
    const key = JSON.stringify(messages);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    await (SCRIPTS[name] ?? SCRIPTS.plain!)(reply, { after: messages.slice(at + 1), before });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the provider has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

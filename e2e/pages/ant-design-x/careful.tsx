/**
 * `useXChat` with a provider that keeps what a completion says besides its words: thought, call, reason, error. Each way of ending
 * has its own foot under the bubble, and the words come out by the bubble's own typing.
 */
import { Bubble, Sender, Think } from '@ant-design/x';
import { OpenAIChatProvider, useXChat, type XModelParams, type XModelResponse, XRequest } from '@ant-design/x-sdk';
import { Alert, Button, Flex } from 'antd';
import { type ReactNode, useState } from 'react';

interface Said {
  readonly role: string;
  readonly content: string;
  readonly thought?: string;
  readonly call?: string;
  /** The reason of the finish, or how else it ended; none: nobody said that it ended. */
  readonly ended?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what the provider hands on is the bytes' own shape.
type Info = any;

class Provider extends OpenAIChatProvider<Said, XModelParams, XModelResponse> {
  override transformMessage(info: Info): Said {
    const before: Said = info.originMessage ?? { role: 'assistant', content: '' };
    const data = info.chunk?.data?.trim();
    if (!data || data === '[DONE]') return before;
    const { error, choices } = JSON.parse(data);
    if (error) return { ...before, ended: 'error' };
    const { delta, finish_reason } = choices[0];
    return {
      role: 'assistant',
      content: before.content + (delta.content ?? ''),
      thought: (before.thought ?? '') + (delta.reasoning_content ?? ''),
      call: (before.call ?? '') + (delta.tool_calls?.[0]?.function.arguments ?? ''),
      ended: finish_reason ?? before.ended,
    };
  }
}

const FEET: Readonly<Record<string, string>> = {
  length: 'The answer was cut off: it reached the limit of length.',
  error: 'The model failed before the answer was complete.',
  stopped: 'You stopped this answer.',
  lost: 'Connection lost. The answer is incomplete.',
};

const isThinking = ({ content }: Said, status: string): boolean => content === '' && status === 'updating';

const footOf = ({ call, ended }: Said, status: string): ReactNode => {
  if (ended === 'tool_calls' && call)
    return (
      <Alert
        type="info"
        message={JSON.parse(call).question}
        action={
          <Flex gap="small">
            <Button size="small">Yes</Button>
            <Button size="small">No</Button>
          </Flex>
        }
      />
    );
  const how = ended ?? (status === 'success' ? 'lost' : '');
  return FEET[how] === undefined ? null : <Alert type="warning" message={FEET[how]} />;
};

export const Careful = () => {
  const [content, setContent] = useState('');
  const [provider] = useState(
    () =>
      new Provider({
        request: XRequest<XModelParams, XModelResponse>('/v1/chat/completions', {
          manual: true,
          params: { model: 'scripted-1', stream: true },
        }) as never,
      }),
  );
  const { onRequest, messages, isRequesting, abort } = useXChat<Said>({
    provider: provider as never,
    requestPlaceholder: () => ({ role: 'assistant', content: '' }),
    requestFallback: (_: unknown, { error, messageInfo }: Info) => ({
      ...(messageInfo?.message ?? { role: 'assistant', content: '' }),
      ended: error.name === 'AbortError' ? 'stopped' : 'lost',
    }),
  });
  const last = messages.at(-1)?.message;
  return (
    <Flex vertical gap="middle">
      <Bubble.List
        style={{ height: 480 }}
        role={{ user: { placement: 'end' }, assistant: { placement: 'start', typing: { effect: 'typing', step: 5, interval: 50 } } }}
        items={messages.map(({ id, message, status }) => ({
          key: id,
          role: message.role,
          content: message.content,
          loading: status === 'loading' || (status === 'updating' && message.content === '' && !message.thought),
          streaming: status === 'updating' && message.ended === undefined,
          header: message.thought ? (
            <Think title={isThinking(message, status) ? 'Thinking' : 'Thought'} loading={isThinking(message, status)}>
              {message.thought}
            </Think>
          ) : null,
          footer: message.role === 'assistant' ? footOf(message, status) : null,
        }))}
      />
      <Sender
        loading={isRequesting && last?.ended === undefined}
        value={content}
        onChange={setContent}
        onCancel={abort}
        onSubmit={(question) => {
          onRequest({ messages: [{ role: 'user', content: question }] } as never);
          setContent('');
        }}
      />
    </Flex>
  );
};

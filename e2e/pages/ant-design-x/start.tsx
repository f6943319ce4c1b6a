/**
 * The page of the chapter on models: provider, request and chat of the SDK, a list of bubbles with markdown, and a sender.
 * `requesting` takes the flag by the name that another chapter gives it, and which the hook does not have.
 */
import { Bubble, type BubbleListProps, Sender } from '@ant-design/x';
import XMarkdown from '@ant-design/x-markdown';
import { OpenAIChatProvider, useXChat, type XModelParams, type XModelResponse, XRequest } from '@ant-design/x-sdk';
import { Flex } from 'antd';
import { useState } from 'react';

const role: BubbleListProps['role'] = {
  assistant: { placement: 'start', contentRender: (content: string) => <XMarkdown content={content} /> },
  user: { placement: 'end' },
};

export const Start = ({ form }: { readonly form: string }) => {
  const [content, setContent] = useState('');
  const [provider] = useState(
    () =>
      new OpenAIChatProvider({
        request: XRequest<XModelParams, XModelResponse>('/v1/chat/completions', {
          manual: true,
          params: { model: 'scripted-1', stream: true },
        }),
      }),
  );
  const chat = useXChat({
    provider,
    requestPlaceholder: () => ({ role: 'assistant', content: 'Please wait...' }),
    requestFallback: (_, { error, messageInfo }) => ({
      role: 'assistant',
      content: error.name === 'AbortError' ? messageInfo?.message?.content || 'Request is aborted' : 'Request failed, please try again!',
    }),
  });
  const { onRequest, messages, abort } = chat;
  const loading = form === 'requesting' ? (chat as { requesting?: boolean }).requesting : chat.isRequesting;
  return (
    <Flex vertical gap="middle">
      <Bubble.List
        style={{ height: 480 }}
        role={role}
        items={messages.map(({ id, message, status }) => ({
          key: id,
          role: message.role,
          status,
          loading: status === 'loading',
          content: String(message.content),
        }))}
      />
      <Sender
        loading={loading}
        value={content}
        onChange={setContent}
        onCancel={abort}
        onSubmit={(question) => {
          onRequest({ messages: [{ role: 'user', content: question }] });
          setContent('');
        }}
      />
    </Flex>
  );
};

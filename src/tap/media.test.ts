import { describe, expect, test } from 'vitest';
import { BINARY_TYPES, pickFramer } from '../core/framing/framing';
import { keepHeader, recorded, watched } from './media';

describe('which bodies are watched', () => {
  test.each([
    ['text/event-stream', 'text'],
    ['Text/Event-Stream; charset=utf-8', 'text'],
    ['application/x-ndjson', 'text'],
    ['application/stream+json', 'text'],
    ['application/json', 'json'],
    ['application/problem+json; charset=utf-8', 'json'],
    ['text/plain', 'sniffed'],
    ['application/octet-stream', 'sniffed'],
    ['', 'sniffed'],
    [null, 'sniffed'],
    ['text/html', null],
    ['text/css', null],
    ['text/javascript', null],
    ['application/javascript', null],
    ['image/svg+xml', null],
    ['video/mp4', null],
    ['font/woff2', null],
    ['application/wasm', null],
  ])('%s: %s', (type, how) => {
    expect(watched(type)).toBe(how);
  });

  test('every binary type that core can read is sent as base64', () => {
    for (const type of BINARY_TYPES) expect(watched(type)).toBe('base64');
  });

  test('every type that core takes apart by its name is watched', () => {
    const named = ['text/event-stream', 'application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonl'];
    named.push(
      'application/jsonlines',
      'application/x-jsonlines',
      'application/json-lines',
      'application/json-seq',
      'application/stream+json',
    );
    for (const type of [...named, 'application/json', 'application/x+json']) {
      expect(pickFramer('fetch', type, '', 'text')).not.toBeNull();
      expect(watched(type)).toMatch(/^(?:text|json)$/u);
    }
  });
});

describe('which headers are recorded', () => {
  const never = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'proxy-authorization', 'x-csrf-token', 'openai-organization'];
  never.push('x-kestrel-token', 'x-kestrel-api-key', 'acp-authorization', 'mcp-secret', 'x-dify-cookie', 'user-agent', 'x-forwarded-for');
  test.each(never)('never %s', (name) => {
    expect(recorded(name, 'request')).toBe(false);
    expect(recorded(name, 'response')).toBe(false);
  });

  test.each([
    'accept',
    'content-type',
    'last-event-id',
    'a2a-version',
    'mcp-protocol-version',
    'mcp-session-id',
    'anthropic-version',
    'x-request-id',
  ])('%s of a request', (name) => {
    expect(recorded(name, 'request')).toBe(true);
  });

  test.each(
    ['content-type', 'x-vercel-ai-ui-message-stream', 'x-kestrel-run-id', 'content-location', 'acp-connection-id', 'mcp-session-id'].concat(
      ['x-workflow-run-id', 'openai-processing-ms', 'location', 'a2a-version', 'x-dify-version'],
    ),
  )('%s of a response', (name) => {
    expect(recorded(name, 'response')).toBe(true);
  });

  test('names are lower case and values are cut', () => {
    const into: Record<string, string> = {};
    keepHeader(into, 'Content-Type', 'x'.repeat(9_000), 'response');
    keepHeader(into, 'Set-Cookie', 'secret', 'response');
    expect(Object.keys(into)).toEqual(['content-type']);
    expect(into['content-type']).toHaveLength(500);
  });
});

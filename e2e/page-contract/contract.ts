/**
 * Runs one behaviour on an untapped and a tapped page and says what differs, and what the record lacks. Knows no browser.
 */
import type { TapRecordBody } from '../../src/core/model';
import type { Behaviour, ExpectedFlow } from './behaviour';
import type { ContractDriver, ContractTab } from './driver';
import { FAKE_WITNESS, tools } from './page';
import { binary, type ContractServer, ndjsonText, sseText } from './server';

type Recorded = { readonly at: number } & TapRecordBody;
type Of<T extends TapRecordBody['type']> = Extract<TapRecordBody, { readonly type: T }>;

interface FlowSeen {
  readonly opened: Of<'flow.opened'>;
  readonly heads: Of<'flow.head'>[];
  readonly chunks: Of<'flow.chunk'>[];
  readonly ends: Of<'flow.ended'>[];
  readonly gaps: Of<'gap'>[];
}

export interface Comparison {
  readonly untapped: unknown;
  readonly tapped: unknown;
  /** What is wrong with the record, in words. */
  readonly faults: readonly string[];
}

const flowsOf = (records: readonly Recorded[], faults: string[]): FlowSeen[] => {
  const flows = new Map<string, FlowSeen>();
  let last = 0;
  for (const record of records) {
    if (record.type === 'tick') continue;
    if (record.type === 'flow.opened') {
      if (flows.has(record.flow)) faults.push(`${record.flow} was opened twice`);
      flows.set(record.flow, { opened: record, heads: [], chunks: [], ends: [], gaps: [] });
      continue;
    }
    if (record.at + 0.001 < last && record.type === 'flow.chunk') faults.push('chunks are out of time order');
    if (record.type === 'flow.chunk') last = record.at;
    if (record.flow === null) {
      if (record.type === 'gap' && record.reason !== 'fault') faults.push(`a gap without a flow: ${record.reason} ${record.lost}`);
      continue;
    }
    const flow = flows.get(record.flow);
    if (flow === undefined) {
      faults.push(`${record.type} of a flow that was never opened`);
      continue;
    }
    if (flow.ends.length > 0) faults.push(`${record.type} after the end of ${flow.opened.url}`);
    if (record.type === 'flow.head') flow.heads.push(record);
    else if (record.type === 'flow.chunk') flow.chunks.push(record);
    else if (record.type === 'flow.ended') flow.ends.push(record);
    else flow.gaps.push(record);
  }
  return [...flows.values()];
};

/** `sse:4` and the like stand for what the server sends. */
const spell = (text: string): string => {
  const [name, n] = text.split(':');
  if (n === undefined || !/^\d+$/u.test(n)) return text;
  if (name === 'sse') return sseText(Number(n));
  if (name === 'ndjson') return ndjsonText(Number(n));
  if (name === 'binary') return binary(Number(n)).toString('base64');
  if (name === 'messages') return Array.from({ length: Number(n) }, (_, i) => `message ${i}`).join('');
  return text;
};

const pathOf = (url: string): string => (url.startsWith('datachannel:') ? url.slice('datachannel:'.length) : new URL(url).pathname);

const check = (flow: FlowSeen, expected: ExpectedFlow, faults: string[]): void => {
  const where = `${expected.transport} ${expected.path}`;
  const same = (what: string, got: unknown, wanted: unknown): void => {
    if (wanted === undefined) return;
    const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (a === b) return;
    let at = 0;
    while (at < 1e6 && a?.[at] === b?.[at]) at++;
    const from = Math.max(0, at - 60);
    faults.push(
      `${where}: ${what} differs at ${at} of ${a?.length} and ${b?.length}: ${a?.slice(from, at + 200)}, not ${b?.slice(from, at + 200)}`,
    );
  };
  const { opened, heads, chunks, ends, gaps } = flow;
  same('transport', opened.transport, expected.transport);
  same('method', opened.method, expected.method);
  same('request body', opened.requestBody, expected.requestBody);
  same('request headers', opened.requestHeaders, expected.requestHeaders);
  if (heads.length > 1) faults.push(`${where}: ${heads.length} heads`);
  same('status', heads[0]?.status ?? null, expected.status);
  same('response headers', heads[0]?.headers, expected.headers);
  const texts = (direction: 'sent' | 'received'): string[] => chunks.filter((c) => c.direction === direction).map((c) => c.text);
  const sameText = (what: string, parts: string[], wanted: string | undefined): void => {
    if (wanted === undefined) return;
    // Where messages must be told apart, the expectation separates them.
    const separator = ['|', ' '].find((s) => wanted.includes(s) && parts.join(s) === wanted) ?? '';
    same(what, parts.join(separator), spell(wanted));
  };
  sameText('received', texts('received'), expected.received);
  sameText('received as base64', texts('received'), expected.receivedBase64);
  if (expected.receivedBase64 !== undefined) same('encoding', [...new Set(chunks.map((c) => c.encoding))], ['base64']);
  sameText('sent', texts('sent'), expected.sent);
  if (expected.events !== undefined)
    same(
      'events',
      chunks.map((c) => c.event),
      expected.events,
    );
  if (expected.how !== undefined) same('end', ends[0]?.how ?? null, expected.how);
  if (expected.code !== undefined) same('code', ends[0]?.code, expected.code);
  if (expected.gaps !== undefined) same('gaps', [...new Set(gaps.map((g) => g.reason))], expected.gaps);
};

const once = async (
  tab: ContractTab,
  behaviour: Behaviour,
  server: ContractServer,
  key: string,
): Promise<{ observed: unknown; threw: boolean; records: Recorded[] }> => {
  await tab.goto(`${server.origin}/${behaviour.page ?? ''}`);
  const call = (run: Behaviour['run']): string =>
    `(async () => { const t = ${tools(key, server.otherOrigin)}; return JSON.stringify(await t.outcome(() => (${run.toString()})(t))); })()`;
  const results = [await tab.evaluate<string>(call(behaviour.run))];
  if (behaviour.comeBack !== undefined) {
    await tab.goto(`${server.origin}/?elsewhere`);
    await tab.back();
    results.push(await tab.evaluate<string>(call(behaviour.comeBack)));
  }
  await tab.evaluate('window.__kept?.flush?.()');
  const records = JSON.parse(await tab.evaluate<string>('JSON.stringify(window.__kept?.records ?? [])')) as Recorded[];
  await tab.close();
  for (let i = 0; i < 2_000 && server.open(key) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  const observed: unknown[] = results.map((text) => JSON.parse(text.replaceAll(key, 'KEY')) as unknown);
  if (behaviour.serverBlind === undefined) observed.push({ server: [...server.notes(key)].sort() });
  return { observed, threw: observed.some((one) => Object.hasOwn(one as object, 'failed')), records };
};

/** `tap` is the built bundle. */
export const compare = async (
  driver: ContractDriver,
  server: ContractServer,
  tap: string,
  behaviour: Behaviour,
  run: string,
): Promise<Comparison> => {
  const around = (inner: readonly string[]): string[] => [
    ...(behaviour.before === undefined ? [] : [behaviour.before]),
    ...(behaviour.unwitnessed === undefined ? [FAKE_WITNESS] : []),
    ...inner,
    ...(behaviour.after === undefined ? [] : [behaviour.after]),
  ];
  // The page without us is the control. Whether a page that was left is kept is the browser's choice, and on a busy machine it may
  // choose otherwise: then there is nothing to compare with, and the control is taken again.
  const { comeBack, observes = '' } = behaviour;
  const control = async (key: string) => once(await driver.openTab(around([])), behaviour, server, key);
  const ours = async () => once(await driver.openTab(around([tap])), behaviour, server, `${run}-tapped`);
  // Side by side they wait once. What measures the browser itself, or depends on what it keeps, has it for itself.
  const together = driver.sideBySide && comeBack === undefined && behaviour.only === undefined;
  const begun = together ? ours() : null;
  begun?.catch(() => {});
  let untapped = await control(`${run}-untapped`);
  for (let again = 1; again < 5 && comeBack !== undefined && !JSON.stringify(untapped.observed).includes(observes); again++)
    untapped = await control(`${run}-untapped-${again}`);
  const tapped = await (begun ?? ours());
  const faults: string[] = [];
  const plain = JSON.stringify(untapped.observed);
  if (behaviour.observes !== undefined && !plain.includes(behaviour.observes))
    faults.push(`not observed: ${behaviour.observes} in ${plain}`);
  if (untapped.threw) faults.push(`the behaviour itself failed: ${plain}`);
  const broken = tapped.records.filter((record) => record.type === 'gap' && record.reason === 'fault').length;
  if (broken !== (behaviour.faults ?? 0)) faults.push(`${broken} faults of our own`);
  const flows = flowsOf(tapped.records, faults);
  if (behaviour.records !== undefined) {
    const { records } = behaviour;
    const heard = flows.map(({ opened }) => `${opened.transport} ${pathOf(opened.url)}`);
    const wanted = records.map(({ transport, path }) => `${transport} ${path}`);
    if (heard.join() !== wanted.join()) faults.push(`recorded flows are [${heard.join(', ')}], not [${wanted.join(', ')}]`);
    else for (const [i, expected] of records.entries()) check(flows[i]!, expected, faults);
  }
  if (behaviour.eachRecord !== undefined) {
    const { count, like } = behaviour.eachRecord;
    if (flows.length !== count) faults.push(`${flows.length} flows recorded, not ${count}`);
    for (const flow of flows) check(flow, like, faults);
  }
  return { untapped: untapped.observed, tapped: tapped.observed, faults };
};

/**
 * 每条规则的句子。规则、判定与数据来自核心（`finding.rule`、`finding.verdict`、`finding.data`），这里只是措辞；
 * `{name}` 由数据填入。核心给出的固定短语在 `phrase` 中对应，线上的原词保持不变。
 */
import type { Messages } from './index';

export const messages: Messages = {
  'final-before-settle': {
    fail: '早了 {leadMs} 毫秒就当作最终结果显示：{shownMs} 毫秒时页面已无进行中的迹象（{cue}），而运行尚未定局。页面显示“{excerpt}”。',
    inconclusive: '可能过早当作最终结果显示：{shownMs} 毫秒时 {cue}，但{why}。页面显示“{excerpt}”。',
  },
  'final-never-settled': {
    fail: '连接在 {endedMs} 毫秒结束（{how}），其上没有任何事件使运行定局，页面却把“{excerpt}”当作最终结果显示：{cue}。',
    inconclusive: '连接在 {endedMs} 毫秒结束（{how}），没有任何事件使运行定局；无法判断页面是否把“{excerpt}”当作最终结果：{why}。',
  },
  'reasoning-as-answer': {
    fail: '提供方的推理“{excerpt}”被当作助手的回答显示（{because}）。其声部来源：{bySaying}。',
    inconclusive: '页面显示了提供方的推理“{excerpt}”；无法判断是否当作回答：{because}。',
  },
  'progress-as-answer': {
    fail: '{voice}文本“{excerpt}”被当作助手的回答显示：{because}。',
    inconclusive: '页面显示了{voice}文本“{excerpt}”；无法判断是否当作回答：{because}。',
  },
  'waiting-as-done': {
    fail: '运行自 {settledMs} 毫秒起等待{waitingFor}，页面却显示为完成（{cue}），没有显示问题。页面显示“{excerpt}”。',
    inconclusive: '运行自 {settledMs} 毫秒起等待{waitingFor}；无法判断页面是否显示为完成：{why}。',
  },
  'waiting-lost': {
    fail: '运行自 {askedMs} 毫秒起询问“{excerpt}”，仍在等待；页面上已没有这个问题（{how}）。',
    inconclusive: '运行自 {askedMs} 毫秒起询问“{excerpt}”；无法判断页面是否显示它：{why}。',
  },
  'stale-waiting': {
    fail: '“{excerpt}”已不再需要（{how}），{lateMs} 毫秒后页面仍提供“{control}”。',
    inconclusive: '“{excerpt}”已不再需要（{how}），{lateMs} 毫秒后问题仍在；无法判断是否还能回答。',
  },
  'duplicate-interaction': {
    fail: '问题“{excerpt}”只问了一次，却显示了 {times} 次。',
    inconclusive: '问题“{excerpt}”只问了一次，显示了 {times} 次；无法判断其中是否有播报用的副本。',
  },
  'unclean-finish-as-clean': {
    fail: '回答在 {settledMs} 毫秒被截断（{reason}），页面却像正常结束一样显示，没有任何提示。',
    inconclusive: '回答在 {settledMs} 毫秒被截断（{reason}）；无法判断页面是否说明。',
  },
  'error-as-done': {
    fail: '运行在 {settledMs} 毫秒失败（“{error}”），页面却把部分文本“{excerpt}”当作最终结果显示，没有失败的迹象：{cue}。',
    inconclusive: '运行在 {settledMs} 毫秒失败（“{error}”）；无法判断页面是否把“{excerpt}”当作最终结果。',
  },
  'error-after-clean-settle': {
    fail: '运行在 {settledMs} 毫秒正常定局，{afterMs} 毫秒后页面却显示错误：“{excerpt}”。',
    inconclusive: '运行在 {settledMs} 毫秒正常定局，{afterMs} 毫秒后页面显示“{excerpt}”；无法判断是否与此运行有关。',
  },
  'cancel-as-done': {
    fail: '运行在 {settledMs} 毫秒被取消（由 {by}），页面却把部分文本“{excerpt}”当作完整回答显示。',
    inconclusive: '运行在 {settledMs} 毫秒被取消（由 {by}）；无法判断页面是否把“{excerpt}”当作完整回答。',
  },
  'text-after-cancel': {
    fail: '{settledMs} 毫秒时已停止（{how}），{afterMs} 毫秒后仍显示了之后才到的“{excerpt}”。',
    inconclusive: '{settledMs} 毫秒时已停止（{how}），流仍在继续；无法判断“{excerpt}”是否显示。',
  },
  'busy-after-settle': {
    fail: '运行在 {settledMs} 毫秒定局（{outcome}），{lateMs} 毫秒后页面仍显示为进行中：{cue}。',
    inconclusive: '运行在 {settledMs} 毫秒定局（{outcome}），{lateMs} 毫秒后页面看起来仍在进行（{cue}）；旁边还有另一个打开的运行。',
  },
  'busy-after-close': {
    fail: '连接在 {endedMs} 毫秒结束（{how}），运行未定局；{lateMs} 毫秒后页面仍显示为进行中（{cue}），且没有重新接上。',
    inconclusive: '连接在 {endedMs} 毫秒结束（{how}），运行未定局；{lateMs} 毫秒后页面看起来仍在进行（{cue}）；还有另一个打开的运行。',
  },
  'busy-without-run': {
    fail: '页面在 {busyMs} 毫秒又回到进行中（{cue}），持续 {lastedMs} 毫秒，而任何连接上都没有打开的运行。',
    inconclusive: '页面自 {busyMs} 毫秒起看起来在进行（{cue}），持续 {lastedMs} 毫秒，没有打开的运行；也可能在忙别的事。',
  },
  'duplicate-text': {
    fail: '“{excerpt}”只说了一次，却显示了两次{because}。',
    inconclusive: '“{excerpt}”只说了一次，显示了两次{because}；页面也许本就要在两处显示。',
  },
  'provisional-not-replaced': {
    fail: '生产者在 {committedMs} 毫秒提交了“{committed}”；{afterMs} 毫秒后页面仍显示暂定的“{excerpt}”。',
    inconclusive: '生产者在 {committedMs} 毫秒提交了“{committed}”；还无法判断页面是否仍显示暂定的“{excerpt}”。',
  },
  'provisional-discarded': {
    fail: '“{excerpt}”显示了 {shownForMs} 毫秒，从未提交，随后被移除（{why}）。',
    inconclusive: '“{excerpt}”显示了 {shownForMs} 毫秒后被移除；是否会提交尚不可知。',
  },
  'committed-lost': {
    fail: '已提交的回答“{excerpt}”没有显示：提交 {afterMs} 毫秒后，页面已静止，却没有它。',
    inconclusive: '页面上只找到已提交回答“{excerpt}”的 {percent}%：{why}。',
  },
  'missing-head': {
    fail: '页面回到此运行，却从中间开始显示其文本：开头 {missing} 个字符“{excerpt}”不在页面上。',
    inconclusive: '页面上没有找到文本开头的 {missing} 个字符“{excerpt}”；它们也许以非文本方式绘制。',
  },
  'tool-done-early': {
    fail: '页面在 {shownMs} 毫秒把 {tool} 显示为完成（{state}），但{because}。',
    inconclusive: '页面也许在 {shownMs} 毫秒把 {tool} 显示为完成（{state}），但{because}。',
  },
  'tool-left-pending': {
    fail: '运行在 {settledMs} 毫秒定局（{outcome}），{lateMs} 毫秒后页面仍把 {tool} 显示为运行中（{state}）。',
    inconclusive: '运行在 {settledMs} 毫秒定局（{outcome}）；无法判断页面是否仍把 {tool} 显示为运行中（{state}）。',
  },
  'wrong-run': {
    fail: '“{excerpt}”属于此运行，却显示在先前运行的位置，接在“{before}”之后。',
    inconclusive: '“{excerpt}”属于此运行，与先前运行的“{before}”显示在同一处；页面所示有一部分没有看到。',
  },
  'decode-damage': {
    fail: '页面显示了 {count} 个流中没有的替换字符：“{excerpt}”。字节被逐块解码，没有保留剩余部分。',
    inconclusive: '页面在一段无法确定对应的文本中显示了 {count} 个替换字符：“{excerpt}”。',
  },
  'severed-stream': {
    fail: '连接在 {endedMs} 毫秒结束（{how}），距最后一个事件（{last}）{silentMs} 毫秒，其上没有任何事件使运行定局。',
    inconclusive: '连接在 {endedMs} 毫秒结束（{how}），没有看到使运行定局的事件；{why}。',
  },
  'event-after-settle': {
    fail: '运行定局（{outcome}）之后又来了 {count} 个内容事件；第一个是 {raw}，晚了 {afterMs} 毫秒。',
    inconclusive: '运行定局（{outcome}）之后似乎又来了 {count} 个内容事件；记录有缺失，它们也许属于另一次尝试。',
  },
  'terminal-conflict': {
    fail: '运行先定局为 {first}，又定局为 {second}：{detail}。',
    inconclusive: '运行先定局为 {first}，又定局为 {second}，也许是有意的：{detail}。',
  },
  'commit-differs': {
    fail: '{committedMs} 毫秒提交的内容（“{excerpt}”，{length} 个字符）与流式内容（“{streamed}”，{streamedLength} 个字符）不同：{how}。',
    inconclusive:
      '{committedMs} 毫秒提交的内容（“{excerpt}”，{length} 个字符）与流式内容（“{streamed}”，{streamedLength} 个字符）有别：{how}。',
  },
  'settled-empty-answer': {
    fail: '运行在 {settledMs} 毫秒正常定局（{raw}），助手没有一个字，也没有说明原因。',
    inconclusive: '运行在 {settledMs} 毫秒正常定局（{raw}），没有读到助手的任何文字；{why}。',
  },
  'settled-without-reason': {
    fail: '流在 {settledMs} 毫秒以 {what} 结束，却从未说如何结束：不是完成，也不是失败，只是结束。',
    inconclusive: '流在 {settledMs} 毫秒以 {what} 结束，没有读到原因；记录有缺失。',
  },
  'state-disagree': {
    fail: '流在 {atMs} 毫秒（{raw}）对同一状态给出两种说法：{detail}。',
    inconclusive: '流在 {atMs} 毫秒（{raw}）似乎对同一状态给出两种说法：{detail}；记录有缺失。',
  },
  'malformed-ending': {
    fail: '决定结束原因的结局没有字符串类型（{detail}）。这是协议错误，不能显示为结束原因。',
    inconclusive: '所见的最后一个结局没有字符串类型（{detail}），但记录有缺失：也许由之后的结局决定。',
  },
  'malformed-event': {
    fail: '{atMs} 毫秒的第 {frame} 帧无法按协议读取：{detail}。',
    inconclusive: '{atMs} 毫秒的第 {frame} 帧无法按协议读取：{detail}。记录有缺失，问题也许在记录中。',
  },
  'unterminated-last-event': {
    fail: '正文在 {endedMs} 毫秒结束（{how}）于一帧中间：最后一个事件没有说完，等于没有说。',
    inconclusive: '正文似乎在 {endedMs} 毫秒结束（{how}）于一帧中间；记录有缺失。',
  },
  'out-of-order': {
    fail: '{atMs} 毫秒（{raw}）顺序错乱：{detail}。',
    inconclusive: '{atMs} 毫秒（{raw}）顺序错乱：{detail}。记录有缺失，应在其前的也许只是没有看到。',
  },
  'buffered-stream': {
    fail: '{waitedMs} 毫秒没有任何内容，随后 {spreadMs} 毫秒内全部 {count} 个事件连同结束一起到达：服务器与页面之间有缓冲。',
    inconclusive: '{waitedMs} 毫秒没有任何内容，随后 {spreadMs} 毫秒内到达 {count} 个事件；流仍在继续，也许只是开始得慢。',
  },
  stalled: {
    fail: '运行仍打开，{silentMs} 毫秒没有任何内容；最后一个事件是 {raw}。也许还会继续：沉默不是结束。',
    inconclusive: '运行仍打开，{silentMs} 毫秒没有事件，但其连接仍在使用（{why}）。',
  },
  'unrecognised-event': {
    fail: '{events} 个 {raw} 类型，{dialect} 不认识：保留并显示，不影响任何判定。',
    inconclusive: '{events} 个 {raw} 类型，{dialect} 不认识；记录有缺失，也许是其他事件的一部分。',
  },
};

/** 核心给出的固定短语。 */
const PHRASES: Readonly<Record<string, string>> = {
  eof: '正文结束',
  'network-error': '网络错误',
  'aborted-by-page': '被页面中止',
  'closed-by-server': '被服务器关闭',
  'document-gone': '文档已离开',
  completed: '已完成',
  waiting: '等待中',
  truncated: '被截断',
  refused: '被拒绝',
  failed: '失败',
  cancelled: '已取消',
  severed: '断开',
  unattested: '未证实',
  superseded: '被取代',
  reasoning: '推理',
  progress: '进度',
  tool: '工具',
  log: '日志',
  input: '输入',
  approval: '批准',
  auth: '登录',
  other: '其他',
  page: '页面',
  producer: '生产者',
  'on the wire as such': '线上如此标明',
  'by inference: a thinking tag opened the message': '推断：消息以思考标签开头',
  'the page’s own markup calls the place the assistant’s': '页面自己的标记称该处为助手的位置',
  'it stands in the same kind of place as the assistant’s text': '它与助手文本处于同类位置',
  'it is in one block with the assistant’s text': '它与助手文本在同一块中',
  'it is all that is shown, and nothing on the page tells working from final': '页面只显示了它，且没有任何迹象区分进行中与最终',
  'it is part of a block whose other words nobody said': '它所在的块中还有无人说过的文字',
  'it is all that the page shows of the run, and the page came to rest with it': '页面对此运行只显示了它，并以它静止',
  'the page came to rest': '页面已静止',
  'the page shows no sign of unfinished text': '页面没有未完成的迹象',
  'The run was cancelled': '运行被取消',
  'records are missing before the end': '结束之前的记录有缺失',
  'the last connection replayed what was known, so its end may only be the end of the replay':
    '最后的连接重放了已知内容，它的结束也许只是重放的结束',
  'the stream has events that nothing understands': '流中有无人能懂的事件',
  'keep-alives, or other runs on it': '保活，或其上的其他运行',
  'shows neither the question nor a way to answer it': '既没有问题，也没有回答的办法',
  'the same control is switched by typing, too, or may belong to a block of the text': '同一控件也会因输入而切换，或属于文本中的某一块',
  'no sign of unfinished text': '没有未完成的迹象',
  // 页面迹象所用的词。
  'the page no longer says “working”': '页面不再显示“working”',
  'a control': '某个控件',
  composer: '输入框',
  'busy mark': '忙碌标记',
  'a busy mark': '忙碌标记',
  animation: '动画',
  caret: '光标',
  indicator: '指示',
  state: '状态',
  gone: '消失',
  appeared: '出现',
  enabled: '可用',
  disabled: '不可用',
  readonly: '只读',
};

/** 页面的原词与核心的词并在一处：`$1` 原样，`{1}` 自身再译。 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^class (“.*”)(?: (gone))?$/su, '类$1{2}'],
  [/^(“.*”) became (“.*”)$/su, '$1变为$2'],
  [/^the page says (“.*”)$/su, '页面显示$1'],
  [/^state (“.*”)$/su, '状态$1'],
  [/^(“.*”|[a-z][\w -]*) (gone|appeared|enabled|disabled|readonly)$/su, '{1}{2}'],
];

/** 一个短语；若是几个迹象并列，逐个译出。线上与页面的原词保持不变。 */
export const phrase = (value: string): string => {
  if (Object.hasOwn(PHRASES, value)) return PHRASES[value]!;
  for (const [pattern, said] of PATTERNS) {
    const match = pattern.exec(value);
    // 引号中的原词可能含有逗号，并列的引号则不是一个词。
    if (match === null || /”[^“”]*, .*“/su.test(value)) continue;
    return said.replace(/\$(\d)|\{(\d)\}/gu, (_, as?: string, again?: string) =>
      as === undefined ? phrase(match[Number(again)] ?? '') : (match[Number(as)] ?? ''),
    );
  }
  const several = value.match(/(?:“[^”]*”|[^“,]|,(?! ))+/gu) ?? [];
  if (several.length < 2) return value;
  const said = several.map((one) => phrase(one.trim()));
  return said.every((one, i) => one === several[i]!.trim()) ? value : said.join('、');
};

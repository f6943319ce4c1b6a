/** 中文：计数、文件、缺失与空白的原因。 */
import type { notices as english } from './en-notices';
import type { Wide } from './index';

export const notices: Wide<typeof english> = {
  count: {
    events: (count) => `${count} 个事件`,
    runs: (count) => `${count} 个运行`,
    gaps: (count) => `${count} 个缺口`,
    faults: (count) => `${count} 个故障`,
    findings: (count) => `${count} 个发现`,
    waiting: (count) => `还有 ${count}`,
    reconnects: (count) => `重连 ${count} 次`,
  },
  heldMeans: '此面板在内存中保留的文本',
  pageHolds: (held, bound) => `页面 ${held} / ${bound}`,
  fileUnread: (names) => `未打开：${names}。一起放入的文件中只打开前两个，用于比较。`,
  readingFile: (name) => `正在读取 ${name}`,
  cancel: '取消',
  sampleShown: '示例运行：虚构，其中有一个真实的错误。',
  fileShown: (name) => `文件：${name}`,
  pausedNotice: (waiting) => `视图已暂停，捕获继续：${waiting} 条等待中。`,
  dialectFailed: (why) => `面板的一部分无法加载（${why}）。来自页面的内容在等待，没有丢失。如果重试无效，请关闭并重新打开开发者工具。`,
  tryAgain: '重试',
  linkGone: '扩展已重新加载或移除。请关闭并重新打开开发者工具。',
  lostNotice: (count) => `${count} 条在记录之前丢失。可能因此改变的判定不会给出。`,

  missing: {
    fault: {
      what: '此页面有内容无法记录',
      fix: '页面脚本（或其他扩展）在流开始之前改动了内置函数。请去掉它们后重新加载；可能受缺失部分影响的判定不会给出。',
    },
    'relay-lost': { what: '记录在从页面传来的途中丢失', fix: '可能受其影响的判定不会给出。' },
    'over-budget': { what: '面板关闭时，流的内容超过了页面可暂存的量', fix: '在运行开始之前打开面板，就不必暂存。' },
    'attached-late': { what: '有流在能被看到之前就已开始', fix: '重新加载页面，从头看到流。' },
    'read-natively': { what: '浏览器自行读取了正文，无法看到', fix: '只有页面脚本读取的内容才能记录。' },
    unread: { what: '此文件缺少一部分内容', fix: '保存文件时就已缺少，或无法从文件中读出。可能受缺失部分影响的判定不会给出。' },
    bodiless: {
      what: '文件中没有某个响应的正文',
      fix: '请在流结束后连同正文一起保存（“Save all as HAR with content”）。浏览器自行读取的内容不会出现在捕获文件中。',
    },
  },
  missingToo: (reasons) => `另有：${reasons}。`,
  noRunsYet: '还没有运行。',
  noAgentStream: '看到的流中没有智能体流。',
  empty: {
    filtered: { title: '全部被筛掉了', text: (total) => `共有 ${total} 个事件，没有一个通过筛选。` },
    file: { title: '文件里什么都没有', text: '它不含智能体流的事件。' },
    none: { title: '打开一个捕获文件', text: '把捕获文件、HAR 或保存的流正文拖到这里，或先看看示例运行。' },
    blocked: { title: '此网站未启用', text: (url) => `Unsettled 只在你启用的地方运行。${url}`, fix: '在此网站启用并重新加载' },
    revoked: { title: '此网站的权限已被收回', text: (url) => `浏览器不再允许 Unsettled 在这里运行。${url}`, fix: '再次请求权限并重新加载' },
    late: { title: '此页面在扩展之前加载', text: '只有从页面开始时才能看到流。', fix: '重新加载页面' },
    restricted: { title: '无法观察此页面', text: '扩展只能看到 http 和 https 网站的页面；浏览器页面和扩展商店不对扩展开放。' },
    gone: { title: '扩展已不在' },
    connecting: { title: '正在连接…', text: '正在向后台询问此标签页。' },
    stopped: { title: '捕获已停止', text: '流经过而未被记录。' },
    noAgent: { title: '还没有智能体流', text: (flows) => `看到 ${flows} 个流；没有一个属于已知方言。` },
    unreadable: { title: '流无法记录', text: '页面（或其他扩展）在流开始之前改动了内置函数。' },
    quiet: { title: '就绪', text: '在页面中开始一次对话。它的运行会随流出现在这里。' },
  },
};

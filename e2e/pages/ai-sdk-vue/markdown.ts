/** Text as the model writes it, as HTML: rendered anew whenever it grows. */
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ linkify: true, breaks: true });

export const render = (text: string): string => markdown.render(text);

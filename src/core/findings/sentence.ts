/** A finding's sentence for people, where there is no panel. In reports for programs a connection ends with the word of the record. */

/** How a connection ended. */
export const endWords = (how: string): string => (how === 'eof' ? 'the server ended it' : how.replaceAll('-', ' '));

export const sentence = (message: string): string =>
  message.replace(/^(The (?:connection|body) ended) \(([a-z-]+)\)/u, (_, start: string, how: string) => `${start} (${endWords(how)})`);

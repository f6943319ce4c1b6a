/** Committed text is not the text that was streamed. Reported as a difference; never called a loss by length alone. */
import { eventRef, excerpt, fail, inconclusive, pass, record } from './judgement';
import { landmarksOf } from './landmarks';
import type { Judgement, Rule } from './rule';

export const commitDiffers: Rule = {
  id: 'commit-differs',
  severity: 'moderate',
  needs: ['wire'],
  message: {
    fail: 'What was committed at {committedMs} ms (“{excerpt}”, {length} characters) is not what had been streamed (“{streamed}”, {streamedLength} characters): {how}.',
    inconclusive:
      'What was committed at {committedMs} ms (“{excerpt}”, {length} characters) differs from what had been streamed (“{streamed}”, {streamedLength} characters): {how}.',
  },
  judge({ attempt, events }) {
    if (attempt.replaced) return null;
    const found: Judgement[] = [];
    let applies = false;
    for (const part of attempt.parts) {
      if (part.committedSeq === null || part.withdrawn) continue;
      applies = true;
      if (part.streamedText === null || plain(part.streamedText) === plain(part.text)) continue;
      const streamed = plain(part.streamedText);
      const committed = plain(part.text);
      // Read from what the wire said before: a tag taken out, or a place holder that was never meant as text.
      // Only the end of it was streamed here: what came before may have been streamed before this connection.
      const trimmed = part.voiceBySaying === false || streamed.length < 4 || committed.endsWith(streamed);
      const how = committed.startsWith(streamed)
        ? 'it goes on after it'
        : streamed.startsWith(committed)
          ? 'it ends earlier'
          : committed.includes(streamed) || streamed.includes(committed)
            ? 'one is within the other'
            : 'other words';
      const facts = {
        subject: part.key,
        voice: part.voice,
        text: part.text,
        evidence: [record(part.committedSeq)],
        data: {
          committedMs: Math.round(part.committedAt ?? 0),
          excerpt: excerpt(part.text, 60),
          length: part.text.length,
          streamed: excerpt(part.streamedText, 60),
          streamedLength: part.streamedText.length,
          how,
        },
      };
      found.push(trimmed ? inconclusive(part.committedAt ?? part.lastAt, facts) : fail(part.committedAt ?? part.lastAt, facts));
    }
    for (const breach of landmarksOf(events).remarks)
      if (breach.type === 'breach' && breach.breach === 'commit-differs' && attempt.flows.includes(breach.flow) && found.length === 0)
        found.push(
          fail(breach.at, {
            subject: String(breach.seq),
            voice: breach.voice,
            evidence: [eventRef(breach)],
            data: { committedMs: Math.round(breach.at), excerpt: '', length: 0, streamed: '', streamedLength: 0, how: breach.detail },
          }),
        );
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};

/** Line ends and spaces at the ends are not words. */
const plain = (text: string): string => text.replace(/\s+/gu, ' ').trim();
